"""The messages of the dialect `native`, as types; docs/native.schema.json is made from them."""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from wateringhole import fair, move_json
from wateringhole.cards import Card, card
from wateringhole.events import Event, Standing
from wateringhole.fault import Reason, shown
from wateringhole.move_json import FeedingJson, MoveJson, ReplyJson
from wateringhole.player import Other
from wateringhole.record import Result
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, Own, Request
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, card_in

VERSION: Final = 1

Face: TypeAlias = tuple[int, Trait]
"""A card: its food value and its trait."""


class Board(Struct, frozen=True):
    population: int
    body: int
    food: int
    fat_food: int
    traits: tuple[Trait, ...]


class Me(Struct, frozen=True):
    """All that lies before the seat that reads this."""

    seat: int
    boards: tuple[Board, ...]
    hand: tuple[Face, ...]
    bag: int


class Them(Struct, frozen=True):
    """Another player: the boards, and how many cards it holds."""

    seat: int
    boards: tuple[Board, ...]
    cards: int


# Messages of the client.


class SignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """The first value. With a token it takes its seat again and gets everything after message number `since`.
    `select_food_card` asks for the optional question of the dialect requests.
    """

    wateringhole: int
    name: Annotated[str, Meta(max_length=1_024)] = ""
    dialect: str = "native"
    token: str = ""
    since: Annotated[int, Meta(ge=0)] = 0
    select_food_card: bool = False


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The move that answers the request of this id."""

    id: int
    answer: MoveJson


# Messages of the server; each also has its running number `n`.


class Refused(Struct, frozen=True, tag="refused"):
    """No seat for you; the versions are those that this server speaks."""

    text: str
    versions: tuple[int, ...] = (VERSION,)


class Welcome(Struct, frozen=True, tag="welcome"):
    """You are signed up; the token brings you back after a lost connection. `answered` is the last request of which
    an answer has come, so that a client that returns knows whether to say it again.
    """

    version: int
    token: str
    answered: int = 0


class Turn(Struct, frozen=True, omit_defaults=True, tag="turn"):
    """A turn begins; nothing is asked. In the first turn of a game that was dealt by lot, `sealed` is the SHA-256 of
    the seed that fixes the deck, which is shown when the game is over.
    """

    turn: int
    watering_hole: int
    me: Me
    sealed: str = ""


class ChooseAsked(Struct, frozen=True, tag="choose"):
    """How do you use your cards? `seconds` is the time for the answer, null without a limit; `bank` what is left of the
    time bank, null without one.
    """

    id: int
    seconds: float | None
    bank: float | None
    turn: int
    deck: int
    watering_hole: int
    me: Me
    before: tuple[Them, ...]
    after: tuple[Them, ...]


class FeedAsked(Struct, frozen=True, tag="feed"):
    """What do you feed next? Every option, fat to the max; less fat, and to decline, are legal, too."""

    id: int
    seconds: float | None
    bank: float | None
    turn: int
    deck: int
    watering_hole: int
    me: Me
    others: tuple[Them, ...]
    options: tuple[FeedingJson, ...]


class Story(Struct, frozen=True, tag="story"):
    """Events that all players see."""

    events: tuple[Event, ...]


class Out(Struct, frozen=True, tag="expelled"):
    reason: Reason
    text: str
    rule: str


class Whole(Struct, frozen=True, omit_defaults=True):
    """Everything that was secret in a game: the deck, top first, and every reply, also of expelled players; and
    the seed that the deck comes from, if it was dealt by lot.
    """

    names: tuple[str, ...]
    deck: tuple[Face, ...]
    replies: tuple[tuple[int, ReplyJson], ...]
    seed: str = ""


class Over(Struct, frozen=True, tag="over"):
    ranking: tuple[Standing, ...]
    game: Whole


ServerMessage: TypeAlias = Refused | Welcome | Turn | ChooseAsked | FeedAsked | Story | Out | Over


def token_hash(token: str) -> str:
    """The hash by which the server knows a token again; the token itself is not kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def value_of(message: Struct) -> dict[str, Json]:
    """The message as a JSON value."""
    value: dict[str, Json] = msgspec.to_builtins(message, enc_hook=plain_value)
    return value


def plain_value(value: object) -> object:
    """What a message has in place of a card: its face."""
    if isinstance(value, Card):
        return (value.food, value.trait)
    return move_json.enc_hook(value)


def sign_up_in(value: Json) -> SignUp:
    """A native sign-up; ShapeError when it is none, with the versions that are spoken when it is of another."""
    try:
        return msgspec.convert(value, SignUp)
    except msgspec.ValidationError as error:
        raise ShapeError(f"{shown(value)} is no sign-up: {error}") from None


def server_message_in(value: Json) -> ServerMessage:
    """A message of a server, for a client."""
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if key != "n"}
    try:
        return cast(ServerMessage, msgspec.convert(value, ServerMessage, dec_hook=_rich))
    except msgspec.ValidationError as error:
        raise ShapeError(f"{shown(value)} is no message of a server: {error}") from None


def _rich(kind: type, value: object) -> object:
    if kind is Card:
        return card_in(cast(Json, value))
    return move_json.dec_hook(kind, value)


def over_of(result: Result) -> Over:
    """The message that tells how a game ended."""
    record = result.record
    replies = tuple((seat, ReplyJson(reply)) for seat, reply in record.replies)
    return Over(result.ranking, Whole(record.names, faces_of(record.deck), replies, fair.seed(record) or ""))


def question_of(
    request: Request, number: int, seconds: float | None = None, bank: float | None = None
) -> ChooseAsked | FeedAsked:
    """The message of a request."""
    asked = number, seconds, bank, request.turn, request.deck, request.watering_hole, me_of(request.me)
    if isinstance(request, Choose):
        return ChooseAsked(*asked, them_of(request.before), them_of(request.after))
    return FeedAsked(*asked, them_of(request.others), tuple(FeedingJson(move) for move in request.options))


def request_of(asked: ChooseAsked | FeedAsked) -> Request:
    """The request of a message."""
    me = own_of(asked.me)
    if isinstance(asked, ChooseAsked):
        return Choose(me, asked.watering_hole, _others(asked.before), _others(asked.after), asked.turn, asked.deck)
    return Feed(me, asked.watering_hole, _others(asked.others), asked.turn, asked.deck)


def card_of(face: Face) -> Card:
    """The card with this face; ShapeError when there is none."""
    try:
        return card(*face)
    except KeyError:
        raise ShapeError(f"{shown(list(face))} is not one of the 122 cards") from None


def own_of(me: Me) -> Own:
    return Own(me.seat, _species(me.boards), tuple(card_of(face) for face in me.hand), me.bag)


def me_of(me: Own) -> Me:
    return Me(me.seat, boards_of(me.species), faces_of(me.hand), me.bag)


def faces_of(hand: Sequence[Card]) -> tuple[Face, ...]:
    """The faces of these cards in their order."""
    return tuple((held.food, held.trait) for held in hand)


def _others(them: Sequence[Them]) -> tuple[Other, ...]:
    return tuple(Other(other.seat, _species(other.boards), other.cards) for other in them)


def them_of(others: Sequence[Other]) -> tuple[Them, ...]:
    """These players, as the messages show them."""
    return tuple(Them(other.seat, boards_of(other.species), other.cards) for other in others)


def _species(boards: Sequence[Board]) -> tuple[Species, ...]:
    return tuple(Species(b.population, b.body, b.food, b.fat_food, b.traits) for b in boards)


def boards_of(species: Sequence[Species]) -> tuple[Board, ...]:
    """These boards from left to right."""
    return tuple(Board(b.population, b.body, b.food, b.fat_food, b.traits) for b in species)


def schema() -> dict[str, object]:
    """Every message of both sides as JSON Schema."""
    said = (SignUp, Answer, Refused, Welcome, Turn, ChooseAsked, FeedAsked, Story, Out, Over)
    _, components = msgspec.json.schema_components(said, schema_hook=json_schema_of)
    by_client, by_server = ([{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds] for kinds in (said[:2], said[2:]))
    parts = {name.split(".")[-1]: part for name, part in components.items()} | move_json.schemas()
    for kind in said[2:]:
        parts[kind.__name__]["properties"]["n"] = {"type": "integer", "minimum": 1}
        # These three are not counted: their client has no seat, or returns to it.
        if kind not in {Refused, Welcome, Over}:
            parts[kind.__name__]["required"].append("n")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"wateringhole, dialect native, version {VERSION}",
        "description": "The client says one of the first, the server one of the second, with its running number n.",
        "oneOf": [{"title": "client", "oneOf": by_client}, {"title": "server", "oneOf": by_server}],
        "$defs": parts,
    }


def json_schema_of(kind: type) -> dict[str, object]:
    """The schema of a card's face, and of moves."""
    if kind is Card:
        face: list[dict[str, object]] = [{"type": "integer"}, {"enum": [trait.value for trait in Trait]}]
        return {"type": "array", "prefixItems": face, "minItems": 2, "maxItems": 2}
    return move_json.schema_hook(kind)
