"""The editions that can be played: the built-in ones, and those from outside that this process has met.

An edition from outside is known by the digest of its files, and its scenarios by their id with that digest behind it
(`my-war@3f…`): so a name means the same game for ever, and two editions with equal ids are two.
"""

from __future__ import annotations

from collections import OrderedDict

from sandtable.errors import DataError
from sandtable.world.bundle import ENDING, Bundle, Path_, read_bundle, unpack
from sandtable.world.edition import Edition
from sandtable.world.fields import known_ones
from sandtable.world.load import data_folder, edition_of, load_builtin, load_bundle

AT = "@"
MOST = 100  # editions that are kept in mind; games and files have their own copies

_met: OrderedDict[str, Edition] = OrderedDict()


def open_edition(path: Path_) -> Edition:
    """The edition in a folder or a .zip archive, ready to be played. Raises DataError with all problems."""
    return meet(read_bundle(path))


def meet(bundle: Bundle) -> Edition:
    """The edition in a bundle; it is known from now on. Raises DataError."""
    edition = _met.get(bundle.digest) or load_bundle(bundle)
    _met[bundle.digest] = edition
    _met.move_to_end(bundle.digest)
    while len(_met) > MOST:
        _met.popitem(last=False)
    return edition


def ensure(scenario: str, packed: str) -> None:
    """Know the edition of a scenario that comes with its files. Raises DataError, also if they are others' files."""
    digest = scenario.partition(AT)[2]
    if digest in _met or (not digest and not packed):
        return
    bundle = unpack(packed)
    if bundle.digest != digest:
        raise DataError([f"scenario: the files are not those of the edition of {plain(scenario)!r}"])
    meet(bundle)


def scenario_in(edition: Path_ | Edition, scenario: str | None = None) -> str:
    """The name of a scenario of an edition at hand, or in a folder or archive; needed if there are several.

    Raises DataError.
    """
    found = edition if isinstance(edition, Edition) else open_edition(edition)
    known = tuple(found.scenarios)
    own = tuple(id_ for id_, one in found.scenarios.items() if one.like is None)
    if scenario is None and len(own) > 1:
        raise DataError([f"scenario: the edition has several ({', '.join(known)}); say which one"])
    if scenario is not None and scenario not in known:
        raise DataError([f"scenario: {known_ones('scenario', scenario, known)}"])
    return qualified(found, scenario or own[0])


def qualified(edition: Edition, scenario: str) -> str:
    """The name by which a scenario of the edition is known."""
    return scenario if edition.bundle is None else f"{scenario}{AT}{edition.bundle.digest}"


def plain(scenario: str) -> str:
    """The scenario's own id."""
    return scenario.partition(AT)[0]


def edition_with(scenario: str) -> Edition:
    """The edition that a scenario belongs to. Raises DataError."""
    name, at, digest = scenario.partition(AT)
    if not at:
        return load_builtin(edition_of(scenario))
    if digest not in _met:
        raise DataError([f"scenario: the edition of {name!r} is not here; open its folder or archive first"])
    _met.move_to_end(digest)
    edition = _met[digest]
    if name not in edition.scenarios:
        raise DataError([f"scenario: {known_ones('scenario', name, edition.scenarios)}"])
    return edition


def packed_for(scenario: str) -> str:
    """What somebody else needs to play this scenario: its edition in one line, or nothing for a built-in one."""
    bundle = edition_with(scenario).bundle
    return bundle.packed if bundle is not None else ""


def files_of(scenario: str) -> dict[str, str]:
    """The data files of a scenario's edition, to be looked at and copied. Raises DataError."""
    edition = edition_with(scenario)
    if edition.bundle is not None:
        return dict(edition.bundle.files)
    folder = data_folder() / edition.id
    return {
        file.name: file.read_text("utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(ENDING)
    }


def edition_by(digest: str) -> Edition | None:
    """An edition from outside, if this process has met it."""
    return _met.get(digest)
