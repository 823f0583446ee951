"""The rulebook: every rule under its id, with its source and how to check it.

>>> rule("CL-TRP-01").title
'Transport capacity'
"""

from sandtable.rulebook.reader import (
    Group,
    RuleEntry,
    UnknownRuleError,
    groups,
    rule,
    rule_ids,
    search,
)

__all__ = ["Group", "RuleEntry", "UnknownRuleError", "groups", "rule", "rule_ids", "search"]
