"""People, as they are sent and received."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt

from sandtable.server.people import Person
from sandtable.server.storage.people import Profile, Signed
from sandtable.server.views.base import Body, Model

Name = Annotated[str, Field(min_length=1, max_length=80)]
Password = Annotated[str, Field(min_length=1, max_length=300)]
Email = Annotated[str, Field(max_length=200)]


class GuestBody(Body):
    name: Name
    link: str | None = Field(default=None, max_length=100, description="an invitation, where strangers are not let in")


class AccountBody(Body):
    name: Name
    password: Password
    email: Email | None = None


class SignInBody(Body):
    name: Name
    password: Password


class PasswordBody(Body):
    old: Password
    new: Password


class RecoverBody(Body):
    email: Email


class NewPasswordBody(Body):
    secret: str = Field(max_length=100)
    password: Password


class QuietBody(Body):
    start: StrictInt = Field(ge=0, le=23)
    end: StrictInt = Field(ge=0, le=23)
    zone: StrictInt = Field(default=0, ge=-840, le=840, description="minutes east of Greenwich")


class MeBody(Body):
    """What changes about oneself; what is left out stays."""

    name: Name | None = None
    email: Email | None = Field(default=None, description="empty: none any more")
    by_email: StrictBool | None = Field(default=None, description="tell me by e-mail when a game waits")
    webhook: str | None = Field(default=None, max_length=500, description="post there when a game waits; empty: none")
    quiet: QuietBody | None = None
    no_quiet: StrictBool = Field(default=False, description="no quiet hours any more")


class PushBody(Body):
    """The subscription of a browser, as the browser gives it."""

    subscription: dict[str, Any]


class TokenBody(Body):
    label: str = Field(min_length=1, max_length=60)
    days: StrictInt = Field(default=365, ge=1, le=3650)


class DeleteMeBody(Body):
    password: Password | None = Field(default=None, description="of an account")


class PersonView(Model):
    id: str
    name: str
    account: bool
    admin: bool


class QuietView(Model):
    start: int
    end: int
    zone: int


class MeView(PersonView):
    """All that one is told about oneself."""

    email: str | None = None
    by_email: bool = False
    webhook: str = ""
    browsers: int = Field(default=0, description="that show notifications")
    quiet: QuietView | None = None
    created: datetime | None = None


class SessionView(Model):
    id: str
    kind: str
    label: str
    created: datetime
    expires: datetime


class TokenView(Model):
    """A new token. It is shown once."""

    token: str


class ServerView(Model):
    """What kind of server this is, and who is asking."""

    people: bool = Field(description="whether people are known here; if not, everybody sits at one table")
    registration: Literal["open", "closed"] = "open"
    mail: bool = Field(default=False, description="whether the server can send e-mail")
    push_key: str | None = Field(default=None, description="the public key for notifications of browsers")
    public_url: str | None = None
    ladder: bool = False
    neighbours: bool = Field(default=False, description="whether tables on the local network can be looked for")
    me: PersonView | None = None


def person_view(person: Person) -> PersonView:
    return PersonView(id=person.id, name=person.name, account=person.is_account, admin=person.is_admin)


def me_view(profile: Profile) -> MeView:
    quiet = profile.settings.quiet
    return MeView(
        **person_view(profile.person).model_dump(),
        email=profile.email,
        by_email=profile.settings.email,
        webhook=profile.settings.webhook,
        browsers=len(profile.settings.push),
        quiet=None if quiet is None else QuietView(start=quiet.start, end=quiet.end, zone=quiet.zone),
        created=profile.created,
    )


def session_view(signed: Signed) -> SessionView:
    return SessionView(
        id=signed.id, kind=signed.kind, label=signed.label, created=signed.created, expires=signed.expires
    )
