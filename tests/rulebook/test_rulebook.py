"""Looking up rules."""

from __future__ import annotations

import doctest
import subprocess
import sys
import time

import pytest

from sandtable import rulebook
from sandtable.rulebook import RuleEntry, UnknownRuleError, groups, rule, rule_ids, search
from sandtable.rulebook.books import BOOKS, topic


def test_one_rule() -> None:
    entry = rule("CL-NAV-04")
    assert entry.id == "CL-NAV-04"
    assert entry.title == "Submarines do not slip past enemies"
    assert entry.rule.endswith(".")
    assert entry.source.startswith("second edition rulebook, ")
    assert entry.check
    assert entry.note == ""


def test_letter_case_and_space_do_not_matter() -> None:
    assert rule(" cl3-sub-05 ") is rule("CL3-SUB-05")


def test_further_fields() -> None:
    assert rule("AN-SET-04").data["order"][0] == "Germany"
    assert rule("AN-RES-01").option == "research_and_development"
    assert any(rule(rule_id).interactions for rule_id in rule_ids() if rule_id.startswith("MX07"))


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("CL-NAV-4", "did you mean CL-NAV-04"), ("ZZ-TOP-01", "there is no rule 'ZZ-TOP-01'"), ("", "no rule ''")],
)
def test_unknown_rules(wrong: str, hint: str) -> None:
    with pytest.raises(UnknownRuleError, match=hint):
        rule(wrong)


def test_every_entry_is_complete() -> None:
    ids = list(rule_ids())
    assert len(ids) == len(set(ids)) == 1689
    for rule_id in ids:
        entry = rule(rule_id)
        assert isinstance(entry, RuleEntry)
        assert entry.id == rule_id
        assert entry.title
        assert entry.rule
        assert entry.source
        assert entry.check


def test_groups() -> None:
    found = {group.id: group for group in groups()}
    assert found["CL-SUB"].name == "Submarines"
    assert found["CL-SUB"].book == "Classic"
    assert len(found["CL-SUB"].rules) == 15
    assert found["MX10"].name == "Kamikazes"
    assert found["G40-TRN"].name == "Transports"
    assert all(group.name != group.id for group in found.values())
    assert sum(len(group.rules) for group in found.values()) == 1689
    assert {group.book for group in found.values()} == {book.title for book in BOOKS}


def test_search_needs_all_words_or_others_for_them() -> None:
    found = search("Submarine WITHDRAW")
    assert found
    for entry in found:
        text = " ".join((entry.title, entry.rule, entry.check, entry.note, topic(entry.id.rpartition("-")[0]))).lower()
        assert any(word in text for word in ("submarine", "u-boat", " sub")), entry.id
        assert any(word in text for word in ("withdr", "retreat", "flee", "submerg")), entry.id
    for entry in found[:3]:
        assert "withdr" in f"{entry.title} {entry.rule}".lower()


def test_search_puts_titles_first() -> None:
    titles = ["kamikaze" in entry.title.lower() for entry in search("kamikaze")]
    assert titles[0]
    assert titles == sorted(titles, reverse=True) or not titles[-1]


def test_search_in_one_book_and_by_id() -> None:
    assert {entry.id[:3] for entry in search("suez", book="classic")} == {"CL-"}
    assert [entry.id for entry in search("cl-vic-0")][:7] == [f"CL-VIC-0{n}" for n in range(1, 8)]
    assert search("") == []
    assert search("xylophone") == []


def test_only_the_needed_book_is_read() -> None:
    code = "from sandtable.rulebook import reader; reader.rule('CL-NAV-04'); print(reader._text.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_a_cold_lookup_is_quick() -> None:
    code = (  # the time of the processor: others may be using the machine
        "import time; start = time.process_time(); from sandtable.rulebook import rule; rule('CL-NAV-04'); "
        "print(time.process_time() - start)"
    )
    tries = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        tries.append(float(done.stdout))
    assert min(tries) < 0.3


def test_a_search_is_quick() -> None:
    start = time.process_time()
    assert search("the")
    assert time.process_time() - start < 3


def test_docstring_example() -> None:
    assert doctest.testmod(rulebook).failed == 0
