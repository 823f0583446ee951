"""Being somebody: as a guest with a name, or with an account; and everything one can do with what is kept about one."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from sandtable.server.access import (
    AmongPeople,
    AmongTables,
    Anybody,
    OfSettings,
    Somebody,
    WithLimits,
    address_of,
    cookie_name,
    secret_of,
)
from sandtable.server.errors import ApiError, not_found
from sandtable.server.mail import Mailer
from sandtable.server.notifying import Notifier, check_webhook
from sandtable.server.people import Passwords, Person
from sandtable.server.settings import Settings
from sandtable.server.storage.people import BROWSER_DAYS, GUEST_DAYS, RECOVERY_HOURS, People, Profile, QuietHours
from sandtable.server.tables import Seating
from sandtable.server.views.people import (
    AccountBody,
    DeleteMeBody,
    GuestBody,
    MeBody,
    MeView,
    NewPasswordBody,
    PasswordBody,
    PersonView,
    PushBody,
    RecoverBody,
    ServerView,
    SessionView,
    SignInBody,
    TokenBody,
    TokenView,
    me_view,
    person_view,
    session_view,
)

router = APIRouter(prefix="/api", tags=["people"])

BROWSERS = 10  # that one person may have notifications in
TOKENS = 20


async def the_passwords(connection: HTTPConnection) -> Passwords:
    passwords: Passwords = connection.app.state.passwords
    return passwords


async def the_mailer(connection: HTTPConnection) -> Mailer:
    mailer: Mailer = connection.app.state.mailer
    return mailer


WithPasswords = Annotated[Passwords, Depends(the_passwords)]
WithMailer = Annotated[Mailer, Depends(the_mailer)]


def _with_people(settings: Settings) -> None:
    if not settings.people:
        raise ApiError(403, "forbidden", "This server is for one machine and knows nobody: `sandtable serve` does.")


@router.get("/server", operation_id="getServer")
async def get_server(request: Request, settings: OfSettings, person: Anybody) -> ServerView:
    """What kind of server this is, and who is asking."""
    notifier: Notifier = request.app.state.notifier
    return ServerView(
        people=settings.people,
        registration="closed" if settings.registration == "closed" else "open",
        mail=bool(settings.smtp_url),
        push_key=notifier.public_key or None,
        public_url=settings.public_url or None,
        ladder=settings.people and settings.ladder,
        neighbours=settings.announce,
        me=None if person is None or person.is_local else person_view(person),
    )


@router.post("/people/guest", status_code=201, operation_id="beGuest")
async def be_guest(
    body: GuestBody,
    request: Request,
    response: Response,
    settings: OfSettings,
    people: AmongPeople,
    tables: AmongTables,
    limits: WithLimits,
    known: Anybody,
) -> PersonView:
    """Play with nothing but a name. This browser is known from now on."""
    _with_people(settings)
    limits.check("guests", address_of(request))
    if known is not None:
        raise ApiError(409, "taken", f"You are {known.name} already.")
    invited = body.link is not None and await tables.by_link(body.link) is not None
    if settings.registration == "closed" and not invited:
        raise ApiError(403, "forbidden", "This server is for people with an account or an invitation.")
    person = await people.add(body.name)
    await _let_in(request, response, people, person)
    return person_view(person)


@router.post("/people/account", status_code=201, operation_id="makeAccount")
async def make_account(
    body: AccountBody,
    request: Request,
    response: Response,
    settings: OfSettings,
    people: AmongPeople,
    passwords: WithPasswords,
    limits: WithLimits,
    known: Anybody,
) -> PersonView:
    """An account. A guest keeps all seats."""
    _with_people(settings)
    limits.check("passwords", address_of(request))
    if settings.registration == "closed":
        raise ApiError(403, "forbidden", "Accounts are made by the administrator here.")
    if known is not None and known.is_account:
        raise ApiError(409, "taken", f"You have an account already, as {known.name}.")
    hashed = await passwords.hash(body.password)
    if known is not None:
        return person_view(await people.make_account(known, body.name, hashed, body.email))
    person = await people.add(body.name, password=hashed, email=body.email)
    await _let_in(request, response, people, person)
    return person_view(person)


@router.post("/people/sign-in", operation_id="signIn")
async def sign_in(
    body: SignInBody,
    request: Request,
    response: Response,
    settings: OfSettings,
    people: AmongPeople,
    passwords: WithPasswords,
    limits: WithLimits,
) -> PersonView:
    """Sign in with name and password."""
    _with_people(settings)
    limits.check("passwords", address_of(request))
    limits.check("passwords", f"account {body.name.casefold()}")
    found = await people.account(body.name)
    right = await passwords.is_right(found[1] if found is not None else None, body.password)
    if not right or found is None or found[0].blocked:
        raise ApiError(403, "forbidden", "Name and password do not belong together.")
    await _let_in(request, response, people, found[0].person)
    return person_view(found[0].person)


@router.post("/people/sign-out", status_code=204, operation_id="signOut", response_class=Response)
async def sign_out(request: Request, settings: OfSettings, people: AmongPeople) -> Response:
    """This browser is forgotten. A guest cannot come back without a link."""
    response = Response(status_code=204)
    if settings.people:
        await people.sign_out(secret_of(request))
        response.delete_cookie(cookie_name(settings), path="/", secure=settings.is_https, httponly=True)
    return response


@router.post("/people/recover", status_code=204, operation_id="recover", response_class=Response)
async def recover(
    body: RecoverBody,
    request: Request,
    settings: OfSettings,
    people: AmongPeople,
    mailer: WithMailer,
    limits: WithLimits,
) -> Response:
    """Send a link for a new password. Whether there is such an address, nobody is told."""
    _with_people(settings)
    limits.check("recovery", address_of(request))
    if not mailer.works or not settings.public_url:
        raise ApiError(403, "forbidden", "This server sends no e-mail. Ask its administrator for a new password.")
    for profile in (await people.by_email(body.email))[:5]:
        secret = await people.sign_in(profile.person, "recovery", days=RECOVERY_HOURS / 24)
        link = f"{settings.public_url.rstrip('/')}/recover/{secret}"
        text = (
            f"Somebody, most likely you, wants a new password for {profile.person.name}.\n\n{link}\n\n"
            f"The link works once, for {RECOVERY_HOURS} hours. If it was not you, do nothing."
        )
        await mailer.send(profile.email or "", "A new password for Sandtable", text)
    return Response(status_code=204)


@router.post("/people/recovered", operation_id="setNewPassword")
async def set_new_password(
    body: NewPasswordBody,
    request: Request,
    response: Response,
    settings: OfSettings,
    people: AmongPeople,
    passwords: WithPasswords,
    limits: WithLimits,
) -> PersonView:
    """Choose a new password with the link from the e-mail."""
    _with_people(settings)
    limits.check("passwords", address_of(request))
    person = await people.whose(body.secret, ("recovery",))
    if person is None:
        raise ApiError(403, "forbidden", "The link is too old, or was used already.")
    await people.set_password(person.id, await passwords.hash(body.password))
    await _let_in(request, response, people, person)
    return person_view(person)


@router.get("/me", operation_id="getMe")
async def get_me(person: Somebody, people: AmongPeople) -> MeView:
    """What is kept about oneself."""
    return me_view(await _profile(people, person))


@router.patch("/me", operation_id="changeMe")
async def change_me(body: MeBody, request: Request, person: Somebody, people: AmongPeople) -> MeView:
    """Change name, e-mail address, or how one is told that a game waits."""
    profile = await _profile(people, person)
    if body.webhook:
        await check_webhook(body.webhook, request.app.state.settings)
    if body.name is not None:
        await people.rename(person, body.name)
    if body.email is not None:
        await people.set_email(person.id, body.email)
    settings = profile.settings
    if body.by_email is not None:
        settings = msgspec.structs.replace(settings, email=body.by_email)
    if body.webhook is not None:
        settings = msgspec.structs.replace(settings, webhook=body.webhook)
    if body.quiet is not None:
        quiet = QuietHours(start=body.quiet.start, end=body.quiet.end, zone=body.quiet.zone)
        settings = msgspec.structs.replace(settings, quiet=quiet)
    elif body.no_quiet:
        settings = msgspec.structs.replace(settings, quiet=None)
    if settings != profile.settings:
        await people.set_settings(person.id, settings)
    return me_view(await _profile(people, person))


@router.post("/me/password", status_code=204, operation_id="changePassword", response_class=Response)
async def change_password(
    body: PasswordBody,
    request: Request,
    person: Somebody,
    people: AmongPeople,
    passwords: WithPasswords,
    limits: WithLimits,
) -> Response:
    """Another password. All other browsers and programs have to sign in again."""
    await _check_password(person, body.old, people, passwords, limits)
    await people.set_password(person.id, await passwords.hash(body.new))
    response = Response(status_code=204)
    await _let_in(request, response, people, person)
    return response


@router.get("/me/export", operation_id="exportMe")
async def export_me(person: Somebody, people: AmongPeople) -> dict[str, Any]:
    """All that is kept about oneself."""
    await _profile(people, person)
    return await people.export(person.id)


@router.post("/me/delete", status_code=204, operation_id="deleteMe", response_class=Response)
async def delete_me(
    body: DeleteMeBody,
    request: Request,
    person: Somebody,
    people: AmongPeople,
    passwords: WithPasswords,
    limits: WithLimits,
    settings: OfSettings,
) -> Response:
    """Be forgotten. Seats are left; orders stay without a name, for the others' games go on."""
    await _profile(people, person)
    if person.is_account:
        await _check_password(person, body.password or "", people, passwords, limits)
    seating: Seating = request.app.state.seating
    await seating.leave_everything(person)
    await people.remove(person.id)
    response = Response(status_code=204)
    response.delete_cookie(cookie_name(settings), path="/", secure=settings.is_https, httponly=True)
    return response


@router.get("/me/sessions", operation_id="listSessions")
async def list_sessions(person: Somebody, people: AmongPeople) -> list[SessionView]:
    """Browsers and programs that are signed in."""
    return [session_view(each) for each in await people.sessions(person.id)]


@router.delete("/me/sessions/{session}", status_code=204, operation_id="endSession", response_class=Response)
async def end_session(session: str, person: Somebody, people: AmongPeople) -> Response:
    """Sign a browser or a program out."""
    if len(session) < 16 or not await people.end_session(person.id, session):
        raise not_found("There is no such session.")
    return Response(status_code=204)


@router.post("/me/tokens", status_code=201, operation_id="makeToken")
async def make_token(body: TokenBody, person: Somebody, people: AmongPeople) -> TokenView:
    """A token with which a program plays in this person's name: `Authorization: Bearer …`. It is shown once."""
    await _profile(people, person)
    tokens = [each for each in await people.sessions(person.id) if each.kind == "token"]
    if len(tokens) >= TOKENS:
        raise ApiError(409, "taken", f"You have {TOKENS} tokens already. End one of them first.")
    return TokenView(token=await people.sign_in(person, "token", body.label, body.days))


@router.post("/me/push", status_code=204, operation_id="addBrowser", response_class=Response)
async def add_browser(body: PushBody, request: Request, person: Somebody, people: AmongPeople) -> Response:
    """Let this browser show a notification when a game waits."""
    notifier: Notifier = request.app.state.notifier
    profile = await _profile(people, person)
    subscription = await notifier.check_subscription(body.subscription)
    others = tuple(each for each in profile.settings.push if each["endpoint"] != subscription["endpoint"])
    settings = msgspec.structs.replace(profile.settings, push=(*others, subscription)[-BROWSERS:])
    await people.set_settings(person.id, settings)
    return Response(status_code=204)


@router.delete("/me/push", status_code=204, operation_id="removeBrowsers", response_class=Response)
async def remove_browsers(person: Somebody, people: AmongPeople) -> Response:
    """No notifications in browsers any more."""
    profile = await _profile(people, person)
    await people.set_settings(person.id, msgspec.structs.replace(profile.settings, push=()))
    return Response(status_code=204)


async def _profile(people: People, person: Person) -> Profile:
    found = None if person.is_local else await people.profile(person.id)
    if found is None:
        raise ApiError(403, "forbidden", "This server is for one machine and knows nobody.")
    return found


async def _check_password(
    person: Person, password: str, people: People, passwords: Passwords, limits: WithLimits
) -> None:
    limits.check("passwords", f"account {person.name.casefold()}")
    if not await passwords.is_right(await people.password_of(person.id), password):
        raise ApiError(403, "forbidden", "That is not your password.")


async def _let_in(request: Request, response: Response, people: People, person: Person) -> None:
    """Know this browser from now on. A script in the page cannot read the cookie, other sites cannot send it."""
    settings: Settings = request.app.state.settings
    label = request.headers.get("user-agent", "")[:200]
    response.set_cookie(
        cookie_name(settings),
        await people.sign_in(person, label=label),
        max_age=(BROWSER_DAYS if person.is_account else GUEST_DAYS) * 86_400,
        path="/",
        secure=settings.is_https,
        httponly=True,
        samesite="lax",
    )
