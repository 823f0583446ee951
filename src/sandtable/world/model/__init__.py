"""The model: everything about a game that never changes while it is played.

Board, powers, units, phases, battle steps, options and set-up, compiled once from an edition's data files and
the chosen options (`sandtable.world.compile`). All of it is immutable; mappings are read-only by convention.
Each module has the records of one subject; whoever reads them finds them all here.
"""

from __future__ import annotations

from sandtable.world.model.board import Canal, Gap, Space
from sandtable.world.model.goals import Objective, Victory
from sandtable.world.model.ids import Domain, MarkId, Pieces, PowerId, RuleId, SideId, SpaceId, TechId, UnitId, Value
from sandtable.world.model.options import Added, Beside, ListEdit, Option, Patch
from sandtable.world.model.politics import ActOfWar, Ban, Declaration, Grants, Guests, Sharing
from sandtable.world.model.powers import Part, Power, Reinforcement, Seats, Supplies, Support
from sandtable.world.model.rules import Aid, BattleKind, Relations, Rules, Sacrifice, Training
from sandtable.world.model.technologies import BaseDrop, Drop, Ride, Spies, Technology
from sandtable.world.model.units import AntiTank, Facility, Mark, Modifier, Payload, Raider, UnitType
from sandtable.world.model.world import Setup, World
