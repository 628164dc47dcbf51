"""docs/rules.md and the code say the same: ids, links, constants, the shuffle, the harness examples."""

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import wateringhole
from tests.cases import case
from wateringhole import dealer, record, rulebook, species, traits
from wateringhole.agents import silly
from wateringhole.cards import DECK, Card, shuffled
from wateringhole.conformance.harness import HARNESSES, run_harness
from wateringhole.game import Game
from wateringhole.moves import Attack
from wateringhole.player import Player
from wateringhole.rules import deal
from wateringhole.rules.feeding import meal, strike
from wateringhole.species import Species
from wateringhole.traits import Trait

DOCUMENT = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
SOURCES = sorted(Path(wateringhole.__file__).parent.rglob("*.py"))

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROSE = FENCED.sub("", DOCUMENT)
HEADINGS = re.findall(r"^(#+) (.+)$", PROSE, re.MULTILINE)

FAMILIES = {rule.split(".")[0] for rule in rulebook.ALL}
RULE_ID = re.compile(rf"(?:{'|'.join(sorted(FAMILIES))})\.[a-z]+(?:-[a-z]+)*")
FILE_ENDINGS = {"css", "html", "js", "json", "jsonl", "md", "mjs", "py", "svg", "txt"}


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


ANCHORS = [anchor(heading) for _, heading in HEADINGS]


def block(tag: str) -> str:
    """The one fenced block with this tag."""
    [text] = [text for found, text in FENCED.findall(DOCUMENT) if found == tag]
    return str(text)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below this heading, without its head."""
    section = PROSE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return cells[2:]


def test_the_level_3_headings_are_the_rule_ids_in_their_order() -> None:
    ids = [heading for level, heading in HEADINGS if level == "###" and re.fullmatch(r"[a-z]+\.[a-z-]+", heading)]
    assert tuple(ids) == rulebook.ALL


def test_every_rule_has_a_text() -> None:
    for rule in rulebook.ALL:
        text = PROSE.split(f"\n### {rule}\n")[1].split("\n#")[0]
        assert text.strip(), rule


def test_no_two_headings_share_an_anchor() -> None:
    assert [name for name, count in Counter(ANCHORS).items() if count > 1] == []


def test_every_internal_link_leads_to_a_heading() -> None:
    links = re.findall(r"\]\(#([^)]*)\)", PROSE)
    assert links
    assert sorted(set(links) - set(ANCHORS)) == []


def test_a_link_that_reads_like_a_rule_leads_to_that_rule() -> None:
    for text, target in re.findall(r"\[([^\]]*)\]\(#([^)]*)\)", PROSE):
        if RULE_ID.fullmatch(text):
            assert target == anchor(text)


def test_every_rule_that_the_document_names_exists() -> None:
    named = re.findall(rf"(?<![\w.`/]){RULE_ID.pattern}(?![\w.])", PROSE)
    assert sorted(set(named) - set(rulebook.ALL)) == []


def cited(source: Path) -> Iterator[object]:
    """Every rule that this module cites: by its name in the rule book, as a literal, or as a link to the document."""
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rulebook":
            if node.attr != "ALL":
                yield getattr(rulebook, node.attr, f"rulebook.{node.attr}")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE_ID.fullmatch(node.value):
            if node.value.split(".")[1] not in FILE_ENDINGS:
                yield node.value
    for target in re.findall(r"rules\.md#([\w-]+)", text):
        yield next((rule for rule in rulebook.ALL if anchor(rule) == target), f"#{target}")


def test_every_rule_that_the_source_cites_exists() -> None:
    citations = {rule for source in SOURCES for rule in cited(source)}
    assert len(citations) > 1
    assert citations - set(rulebook.ALL) == set()


def span(cards: Sequence[Card]) -> str:
    return f"{min(card.food for card in cards)} to {max(card.food for card in cards)}"


def eaten(*traits: Trait) -> int:
    """How many tokens a board with these traits takes in one meal when there is plenty."""
    player = Player(1, [Species(population=7, traits=traits)], (), 0)
    meal(Game(("one",), {1: player}, (), watering_hole=9), player, 0, rulebook.MEAL)
    return player.species[0].food


def gored() -> int:
    """How many animals an attack on horns costs."""
    hunter = Player(1, [Species(population=7, traits=(Trait.CARNIVORE,))], (), 0)
    prey = Player(2, [Species(traits=(Trait.HORNS,))], (), 0)
    strike(
        Game(("one", "two"), {1: hunter, 2: prey}, (), watering_hole=9), hunter, Attack(0, 2, 0), rulebook.ATTACK_CHOICE
    )
    return 7 - hunter.species[0].population


def test_the_table_of_constants_agrees_with_the_code() -> None:
    carnivores = [card for card in DECK if card.trait is Trait.CARNIVORE]
    others = [card for card in DECK if card.trait is not Trait.CARNIVORE]
    [each_other] = set(Counter(card.trait for card in others).values())
    assert dict(rows("Constants")) == {
        "version of these rules": record.RULES,
        "fewest players at the start": str(dealer.MIN_PLAYERS),
        "most players at the start": str(dealer.MAX_PLAYERS),
        "most population of a board": str(species.MAX_POPULATION),
        "most body of a board": str(species.MAX_BODY),
        "most traits on a board": str(species.MAX_TRAITS),
        "population of a fresh board": str(Species().population),
        "body of a fresh board": str(Species().body),
        "traits": str(len(Trait)),
        "cards in the deck": str(len(DECK)),
        "carnivore cards": str(len(carnivores)),
        "food on a carnivore card": span(carnivores),
        "cards of each other trait": str(each_other),
        "food on any other card": span(others),
        "cards for a player at the start of a turn": str(deal.CARDS_PER_PLAYER),
        "cards for each of its boards besides": str(deal.CARDS_PER_BOARD),
        "cards for an extinct board": str(deal.CARDS_PER_EXTINCTION),
        "hard-shell margin": str(traits.HARD_SHELL_MARGIN),
        "animals that horns take": str(gored()),
        "tokens in a meal": str(eaten()),
        "tokens in a meal with foraging": str(eaten(Trait.FORAGING)),
        "fewest cards of the silly player": str(silly.MIN_CARDS),
    }


def test_the_table_of_traits_has_each_trait_once_with_its_rule() -> None:
    table = rows("Traits")
    assert [trait for trait, _, _ in table] == [trait.value for trait in Trait]
    assert all("](#" in link for _, _, link in table)


def faces(deck: Sequence[Card]) -> list[str]:
    return [f"{card.food} {card.trait}" for card in deck]


def fingerprint(deck: Sequence[Card]) -> str:
    return hashlib.sha256("".join(f"{face}\n" for face in faces(deck)).encode()).hexdigest()


def checks(line: str) -> tuple[tuple[Card, ...], bool, str]:
    """The deck that a line of the shuffle block is about, whether the line gives its fingerprint, and what is due."""
    head, due = line.split(": ", 1)
    name = head.removesuffix(" fingerprint")
    return DECK if name == "sorted" else shuffled(name.removeprefix("seed ")), name != head, due


@pytest.mark.parametrize("line", block("shuffle").splitlines())
def test_the_shuffle_gives_the_check_values_of_the_document(line: str) -> None:
    deck, whole, due = checks(line)
    if whole:
        assert fingerprint(deck) == due
    else:
        assert faces(deck)[:10] == due.split(", ")


def test_a_number_and_its_text_are_the_same_seed() -> None:
    assert shuffled(7) == shuffled("7")
    assert shuffled(-7) == shuffled("-7")


def shuffled_as_described(seed: str) -> list[str]:
    """The document's five steps once more, sharing no code with the engine."""
    stream = b"".join(hashlib.sha256(seed.encode() + bytes(7) + bytes([counter])).digest() for counter in range(64))
    deck = [
        f"{food} {trait}"
        for trait in sorted(name for name, _, _ in rows("Traits"))
        for food in (range(-8, 9) if trait == "carnivore" else range(-3, 4))
    ]
    at = 0
    for i in range(121, 0, -1):
        k = i + 1
        while stream[at] >= 256 - 256 % k:
            at += 1
        j = stream[at] % k
        at += 1
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_the_shuffle_follows_the_description() -> None:
    for seed in ("", "0", "7", "-1", "wateringhole", "Ünïcode", "a longer seed " * 20):
        with case(seed):
            assert faces(shuffled(seed)) == shuffled_as_described(seed)


@pytest.mark.parametrize("name", HARNESSES)
def test_each_harness_does_what_its_example_shows(name: str) -> None:
    given, due = (line.split(": ", 1)[1] for line in block(name).splitlines())
    assert run_harness(name, json.loads(given)) == json.loads(due)
