"""The lessons of the tutorial: each task can be fulfilled, by the real rules, and everything else gets a sentence."""

from tests.cases import case
from tests.web.server import Server
from wateringhole.move_json import MoveJson
from wateringhole.notation import move_from, position_from, position_text
from wateringhole.web.lessons import LEARNER, LESSONS, Judgement, TaskMissed, judged, lesson_shown
from wateringhole.web.page_messages import ChooseCards, MoveObjection, Snapshot
from wateringhole.web.tab_messages import MoveAnswer
from wateringhole.wire.framing import Json

# A move that fulfils the task; a legal one that misses it; one that the rules forbid, with the rule.
TRIES = {
    "food": ("play:0", "play:1", "play:0;body=0.0", "cardplay.once"),
    "grow": ("play:0;population=0.1", "play:0", "play:0;population=5.1", "cardplay.boards"),
    "trait": ("play:0;boards=1.2", "play:0;boards=1", "play:0;traits=0.0.1", "cardplay.slots"),
    "graze": ("graze:0", "decline", "graze:2", "feeding.options"),
    "attack": ("attack:0.2.0", "graze:1", "graze:0", "feeding.graze"),
    "defence": ("attack:0.3.1", "graze:1", "attack:0.2.0", "attack.climbing"),
    "starve": ("graze:0", "decline", "attack:0.2.0", "attack.carnivore"),
    "score": ("graze:0", "decline", "fat:0.1", "feeding.fat"),
}


def answered(number: int, move: str) -> Judgement:
    return judged(LESSONS[number], MoveAnswer(1, MoveJson(move_from(move))))


def test_a_lesson_is_fulfilled_by_its_task_alone_and_says_why_otherwise() -> None:
    assert [lesson.name for lesson in LESSONS] == list(TRIES)
    for number, (right, missing, illegal, rule) in enumerate(TRIES.values()):
        lesson = LESSONS[number]
        with case(lesson.name):
            assert position_text(position_from(lesson.position)) == lesson.position
            judgement = answered(number, right)
            assert isinstance(judgement.reply, Snapshot)
            assert judgement.reply.events
            assert answered(number, missing) == Judgement(TaskMissed())
            judgement = answered(number, illegal)
            assert isinstance(judgement.reply, MoveObjection)
            assert judgement.reply.rule == rule


def test_what_becomes_of_a_move_is_worked_out_by_the_rules() -> None:
    after = []
    for number, (right, *_) in enumerate(TRIES.values()):
        reply = answered(number, right).reply
        assert isinstance(reply, Snapshot)
        after.append(reply)
    assert [table.watering_hole for table in after] == [5, 5, 0, 6, 3, 1, 0, 0]
    assert after[6].me is not None
    assert after[6].me.bag == 12
    assert [len(player.boards) for player in after[6].players if player.seat == LEARNER] == [1]
    assert [row.score for row in answered(7, "graze:0").ranking] == [23, 18, 14]


def test_a_lesson_asks_as_a_table_does() -> None:
    for lesson in LESSONS:
        with case(lesson.name):
            shown = lesson_shown(lesson)
            assert shown.request.id == 1
            assert shown.snapshot.phase == ("choose" if isinstance(shown.request, ChooseCards) else "feed")
            assert shown.snapshot.me is not None
            assert shown.snapshot.me.seat == LEARNER


def test_lessons_over_http(server: Server) -> None:
    lessons = server.asked("/api/lessons")["lessons"]
    assert isinstance(lessons, list)
    assert [lesson["name"] for lesson in lessons if isinstance(lesson, dict)] == [*TRIES]
    status, said = server.post("/api/lessons/0", {"type": "check", "plan": {"food": 0}, "card": 1, "ref": 4})
    checked = said["reply"]
    assert isinstance(checked, dict)
    assert (status, checked["type"], checked["ref"]) == (200, "checked", 4)
    status, said = server.post("/api/lessons/0", {"type": "answer", "id": 1, "answer": {"move": "play", "food": 1}})
    assert (status, said["reply"]) == (200, {"type": "missed"})
    declined: Json = {"type": "answer", "id": 1, "answer": {"move": "decline"}}
    refused: list[tuple[str, Json, int]] = [
        ("/api/lessons/99", declined, 404),
        ("/api/lessons/-1", declined, 404),
        ("/api/lessons/0", {"type": "answer", "id": 1, "answer": {"move": "fly"}}, 400),
        ("/api/lessons/0", {"type": "answer", "id": 1, "answer": {"move": "graze", "board": -1}}, 400),
        ("/api/lessons/0", {"position": "turn=1"}, 400),
        ("/api/lessons/0", {"type": "begin"}, 400),
        ("/api/lessons/0", {}, 400),
        ("/api/lessons/0", [], 400),
    ]
    for path, value, wanted in refused:
        with case(path, value):
            status, said = server.post(path, value)
            assert status == wanted
            assert said["text"]
    status, said = server.post("/api/lessons/3", {"type": "check", "plan": {}})
    assert isinstance(said["reply"], dict)
    assert (status, said["reply"]["type"]) == (200, "objection")
    assert server.post("/api/lessons/0", {}, {"Content-Type": "application/json"})[0] == 403
