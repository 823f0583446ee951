"""The books of the rulebook, and what the letters in a rule's id stand for."""

from __future__ import annotations

from typing import NamedTuple


class Book(NamedTuple):
    """One file of rules."""

    id: str
    title: str
    prefixes: tuple[str, ...]  # first part of its rules' ids


BOOKS = (
    Book("classic", "Classic", ("CL", "CL3")),
    Book("advanced", "Advanced rules for Classic", tuple(f"MX{number:02}" for number in range(21))),
    Book("anniversary", "Anniversary", ("AN",)),
    Book("global1940", "Global 1940", ("G40",)),
    Book("computer", "The computer game", ("PC",)),
)

TOPICS = {
    "AA": "Antiaircraft guns",
    "AAG": "Antiaircraft guns",
    "ACB": "Air combat",
    "AIR": "Planes",
    "AMP": "Amphibious assaults",
    "BUY": "Buying units",
    "CAP": "Capturing territories and capitals",
    "CAS": "Casualties",
    "CBT": "Combat",
    "CHN": "China",
    "CMB": "Combat",
    "CMV": "Combat movement",
    "EDT": "Set-up editor",
    "EVT": "Event cards",
    "FAQ": "Questions and answers",
    "INC": "Income",
    "INS": "Installation",
    "INT": "Interception and interdiction",
    "LIB": "Liberation",
    "MAP": "Board",
    "MNF": "Forces of several powers",
    "MNU": "Menus",
    "MOB": "Placing new units",
    "MOV": "Movement",
    "MPF": "Forces of several powers",
    "NAV": "Ships",
    "NCB": "Naval combat",
    "NCM": "Non-combat movement",
    "NET": "Playing over a network",
    "NEU": "Neutral territories",
    "NEW": "Starting a game",
    "OBJ": "National objectives",
    "OPT": "Options",
    "PIL": "Pilot experience",
    "PLC": "Placing new units",
    "POL": "Politics",
    "PRD": "Production and placing units",
    "PRF": "Preferences",
    "PUR": "Purchase",
    "RES": "Research",
    "RET": "Retreat",
    "SAV": "Saved games",
    "SBR": "Strategic bombing raids",
    "SCR": "Scrambling",
    "SEA": "Sea battles",
    "SET": "Set-up",
    "SPC": "Powers' special rules",
    "SUB": "Submarines",
    "TEC": "Technologies",
    "TIM": "Time machine",
    "TRN": "Turns",
    "TRP": "Transports",
    "TUT": "Tutorial",
    "UNI": "Units",
    "UNT": "Units",
    "VIC": "Victory",
}

# What differs from the table above.
SPECIAL_TOPICS = {
    "G40-TRN": "Transports",
    "MX00": "How the advanced rules combine",
    "MX01": "Alternate action sequence",
    "MX02": "Inviolable neutrals",
    "MX03": "Lend-lease",
    "MX04": "International cooperation",
    "MX05": "Russo-Japanese pact",
    "MX06": "Combined Pacific fleet",
    "MX07": "Naval task forces",
    "MX08": "Artillery",
    "MX09": "Airborne troops",
    "MX10": "Kamikazes",
    "MX11": "AA target selection",
    "MX12": "Additional bombing targets",
    "MX13": "Air combat in raids",
    "MX14": "Tactical air battles",
    "MX15": "Expanded weapons development",
    "MX16": "Focused weapons development",
    "MX17": "High-tech production",
    "MX18": "Alternate victory",
    "MX19": "Pacific theater",
    "MX20": "World domination",
}


def topic(group: str) -> str:
    """What a group of rules is about: `CL-SUB` is Submarines."""
    return SPECIAL_TOPICS.get(group) or TOPICS.get(group.split("-")[-1], group)
