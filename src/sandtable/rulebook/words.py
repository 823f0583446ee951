"""What people call things, and how a word becomes one that the rules can be searched by."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")

STOP = frozenset(
    """
    a about actually after again all also am an and any are as at be because been before being between but by can
    cannot cant could did do does doing dont ever every exactly far for from game get gets getting give given go
    goes going got had happen happens has have having he her here him his how i if in into is isnt it its just let
    lets like long many may me mean means might more most much must my need needs no not of off on once one only or
    other our out over own player players please really rule rules shall she should since so some something still
    such than that the their them then there these they this those through to too under until up use used using very
    want was we were what when where which while who whom whose why will with without work works would you your
    """.split()  # noqa: SIM905 (a list of so many words is no better to read)
)
"""Words that say nothing about which rule is meant."""

ALIKE = (
    "armor armour tank panzer",
    "plane aircraft airplane",
    "submarine sub uboat",
    "aa antiaircraft flak gun",
    "complex factory ic industry industrial",
    "ipc money cash gold coin dollar treasury",
    "price cost expensive pay",
    "buy purchase order build bought",
    "place mobilize placement deploy mobilization put",
    "research technology development tech weapon breakthrough invention researcher",
    "carrier flattop",
    "transport transporter troopship",
    "retreat withdraw withdrawal flee",
    "submerge dive hide",
    "win victory winner won winning",
    "casualty loss lost remove die dead kill destroy",
    "shoot fire shot volley",
    "bomber bomb",
    "man soldier troop infantry guy",
    "army force troop side",
    "keep save saved kept spare remain unspent",
    "pass past slip sail cross stop block",
    "sail ship move",
    "alone single lone",
    "end over finish last",
    "outside leave border beyond",
    "different several divide split separate same",
    "join enter declare",
    "both mutual each joint",
    "together joint multinational",
    "heal repair recover",
    "training pilot experience",
    "time turn",
    "neighbour adjacent border next",
    "double two twice",
    "hold carry fit capacity ride aboard",
    "worth value",
    "escape withdraw submerge",
    "permit allow grant entry enter",
    "give gift transfer loan share",
    "loss lost capture captor capturer fall fallen",
    "raid bomb bombing strategic sbr",
    "bombard bombardment shore support",
    "amphibious landing seaborne beach invasion invade assault land",
    "capture take conquer occupy taken took falls",
    "liberate liberation free freed",
    "ally allied alliance friend",
    "canal suez panama",
    "neutral neutrality",
    "range distance reach",
    "blitz blitzkrieg",
    "load board loading embark",
    "unload offload offloading disembark",
    "russia soviet ussr russian",
    "america usa american us",
    "britain uk british england english kingdom",
    "paratrooper paratroop airborne parachute",
    "objective bonus goal",
    "city capital",
    "income earn collect salary production",
    "first opening surprise strike shot",
    "dice roll rolling",
    "turn round",
    "sequence order phase action",
    "sea naval navy zone ocean ship fleet boat",
    "destroyed sunk sink sinks",
    "repair fix mend",
    "start begin beginning set setup initial",
    "fight combat battle attack",
    "island isle",
    "limit maximum max most cap",
    "overfly overflight fly",
    "choose pick decide select choice",
    "walk cross enter move march pass impassable",
    "country territory land nation",
    "money income",
    "value price cost",
)
"""Words that stand for each other. The first one is not better than the others."""

HINTS = (
    (r"^\W*how (?:much|expensive) (?:is|are|does|do|for)\b|\bcosts?\b|\bprice\b", "value cost"),
    (r"\bhow (?:much|many)\b", "limit maximum capacity"),
    (r"\bhow far\b", "range distance"),
    (r"\bhow long\b|^\W*when\b", "turn start end"),
    (r"^\W*where\b", "where destination"),
    (r"^\W*who\b", "choose"),
)
"""What the form of a question asks for, besides what its words name. It helps a rule, but no rule needs it."""

FORMS = {
    "fighter": "fighter", "fighters": "fighter", "bomber": "bomber", "bombers": "bomber",
    "destroyer": "destroyer", "destroyers": "destroyer", "defense": "defend", "defence": "defend", "men": "man",
    "dice": "die", "die": "die", "dying": "kill", "losses": "loss", "lose": "loss", "lost": "loss",
    "shot": "shot", "won": "win", "bought": "buy", "built": "build", "fought": "fight", "flew": "fly",
    "flies": "fly", "axis": "axis", "ics": "ic", "ipcs": "ipc", "aagun": "aa", "bus": "bus"
}  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending: `retreating` and `retreats` are `retreat`."""
    word = word.split("'")[0]
    if word in FORMS:
        return FORMS[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in (
        "ations",
        "ation",
        "ingly",
        "ements",
        "ement",
        "ings",
        "ing",
        "edly",
        "ions",
        "ers",
        "ion",
        "ed",
        "es",
        "ly",
        "er",
        "s",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if word.endswith(("tor", "tors")) and len(word) > 6:
        word = word[: word.rindex("or")]  # interceptor
    if word.endswith("at") and len(word) > 6 and word[-3] not in "aeiou":
        word = word[:-2]  # liberated, as liberation
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]  # submerging, shipping
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def stems(text: str) -> list[str]:
    """The stems of all words of a text."""
    return [
        stem(word) for word in _WORD.findall(text.casefold().replace("anti-air", "antiair").replace("u-boat", "uboat"))
    ]


def asked(text: str) -> list[str]:
    """Stems of what a question is about; a text of nothing but small words is taken by its word."""
    words = [word for word in _WORD.findall(text.casefold().replace("-", "")) if word.replace("'", "") not in STOP]
    found = [stem(word) for word in words] or stems(text)
    return list(dict.fromkeys(found))


def hinted(text: str) -> list[str]:
    """Stems that the form of a question asks for."""
    words = " ".join(words for pattern, words in HINTS if re.search(pattern, text.casefold()))
    return [stem(word) for word in words.split()]


def _alike() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in ALIKE:
        family = frozenset(stem(word) for word in line.split())
        for word in family:
            found[word] = found.get(word, frozenset()) | family
    return found


FAMILIES = _alike()


def alike(word: str) -> frozenset[str]:
    """Stems that may stand for a stem, itself left out."""
    return FAMILIES.get(word, frozenset()) - {word}
