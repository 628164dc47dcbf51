"""What is said is whole and in sight: banners, captions, hints, the marks and names of players, crosses."""

from typing import Any, Final

from playwright.sync_api import Locator, expect

from tests.cases import case
from tests.web.browser.moments import HANDS, Stage
from tests.web.browser.playing import NEXT_FRAME, Finger, Player
from tests.web.browser.test_dock import hidden
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}

# How many pixels of an element's content are cut off.
_CUT: Final = """(one) => Math.max(0, one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth)"""

# The marks of players that stand on another line than the word behind them.
_ALONE: Final = """() => [...document.querySelectorAll("#story .mark")].filter((mark) => {
  const [name] = mark.nextElementSibling.getClientRects();
  return mark.getBoundingClientRect().bottom <= name.top;
}).length"""

# Whether one element lies over a part of another.
_OVERLAP: Final = """([one, other]) => {
  const [a, b] = [one, other].map((element) => element.getBoundingClientRect());
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}"""

# The names of cards that are cut off, or lie under the next card of their row.
_CUT_NAMES: Final = """(cards) => cards.filter((card) => {
  const name = card.querySelector(".trait-name");
  const next = card.nextElementSibling;
  const edge = next?.offsetTop === card.offsetTop ? next.getBoundingClientRect().left : innerWidth;
  return name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1
    || name.getBoundingClientRect().right > edge;
}).map((card) => card.textContent)"""

# How many of these controls are narrower than the longest of their choices.
_NARROW: Final = """(all) => all.filter((one) => {
  const { offsetWidth } = one;
  one.style.cssText = "flex: none; width: max-content; max-width: none";
  return one.offsetWidth > offsetWidth;
}).length"""


def cut(element: Locator) -> int:
    pixels: int = element.evaluate(_CUT)
    return pixels


def overlap(one: Locator, other: Locator) -> bool:
    found: bool = one.page.evaluate(_OVERLAP, [one.element_handle(), other.element_handle()])
    return found


def test_the_way_back_to_the_seat_is_in_sight_wherever_the_page_is_scrolled_to(
    server: Server, visitors: Visitors
) -> None:
    table, key = server.table([PERSON, PERSON, bot()], private=True)
    page = visitors.arrive("Ben", **PHONE)
    with server.tab(table, name="Ann", key=key) as ann:
        page.goto(f"/table/{table}")
        page.locator("#join").click()
        assert Player(page).asked() == "choose"
        ann.say("stand_in", seat=2)
        expect(page.locator("#back")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 500})  # so low that the page scrolls
        for top in (0, 9_999):
            page.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
            page.evaluate(NEXT_FRAME)
            expect(page.locator("#back")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") > 0
        page.locator("#back").tap()
        expect(page.locator("#back")).to_have_count(0)


def test_the_mark_of_a_player_stands_on_the_line_of_its_name(stage: Stage, actors: Visitors) -> None:
    for language in ("en", "de"):
        with case(language):
            page = actors.host(stage.table("4 cards"), locale=language, **DESK)
            assert Player(page).asked() == "choose"
            assert page.locator("#story .mark").count() > 3
            for width in range(120, 280, 10):
                page.locator("#story").evaluate("(story, width) => { story.style.width = `${width}px`; }", width)
                assert page.evaluate(_ALONE) == 0, width


def test_the_caption_of_a_replay_is_whole_and_moves_no_button(stage: Stage, actors: Visitors) -> None:
    for name, device in (("phone", PHONE), ("desk", DESK)):
        with case(name):
            page = actors.arrive(locale="de", **device)
            page.goto(f"/game/{stage.game('14 cards')}#step=1")
            expect(page.locator("html")).to_have_attribute("data-ready", "true")
            heights, tops = set(), set()
            for step in range(2, 12):
                page.keyboard.press("ArrowRight")
                expect(page.locator("body")).to_have_attribute("data-step", str(step))
                assert cut(page.locator(".replay-now")) == 0
                heights.add(page.locator(".replay-now").evaluate("(caption) => caption.offsetHeight"))
                tops.add(page.locator(".replay-transport").evaluate("(all) => all.getBoundingClientRect().top"))
            assert len(tops) == 1
            assert name == "desk" or len(heights) > 1, "some captions are longer than others"


def test_a_hint_is_whole_on_a_phone(stage: Stage, actors: Visitors) -> None:
    for language in ("en", "de", "es", "fr"):
        with case(language):
            page = actors.host(stage.table("9 cards"), locale=language, **PHONE)
            player = Finger(page)
            assert player.asked() == "choose"
            player.press("#hint")
            expect(page.locator("#hint-line")).to_be_visible()
            assert cut(page.locator("#hint-line")) == 0


def test_the_cross_of_a_planned_board_leaves_its_animals_in_sight(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("9 cards"), **PHONE)
    player = Finger(page)
    assert player.asked() == "choose"
    player.put(0, "board")
    player.put(1, "population:1")
    cross = page.locator("#mine .board-drop")
    board = page.locator('#mine [data-board="1"] wh-board')
    for what in (".pips", ".piece-index", ".board-body"):
        with case(what):
            assert not overlap(cross.locator(".glyph"), board.locator(what))
    box = cross.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    cross.tap()
    expect(cross).to_have_count(0)


def test_every_choice_for_a_seat_fits_its_control(server: Server, visitors: Visitors) -> None:
    for language in ("en", "de", "es", "fr"):
        with case(language):
            page = visitors.arrive(locale=language, **PHONE)
            page.goto("/")
            expect(page.locator("[data-new-seat]")).to_have_count(4)
            assert page.locator("[data-new-seat]").evaluate_all(_NARROW) == 0
            expect(page.locator(".bot-notes li").first).to_be_attached()
            table, key = server.table([PERSON, PERSON, bot("hard")], private=True)
            page.goto(f"/table/{table}#key={key}")
            expect(page.locator(".places select")).to_have_count(2)
            assert page.locator(".places select").evaluate_all(_NARROW) == 0
            expect(page.locator(".bot-notes li").first).to_be_visible()


def test_no_name_of_a_card_or_of_a_planned_trait_is_cut(stage: Stage, actors: Visitors) -> None:
    for language in ("en", "de"):
        for name, device in (("phone", PHONE), ("desk", DESK)):
            page = actors.arrive(locale=language, **device)
            for cards in HANDS:
                with case(f"{cards} cards, {language}, {name}"):
                    table, key = stage.table(f"{cards} cards")
                    page.goto(f"/table/{table}#key={key}")
                    player = Player(page)
                    assert player.asked() == "choose"
                    assert page.locator("#hand [data-card]").evaluate_all(_CUT_NAMES) == []
                    player.put(0, "board")
                    new = page.locator("#mine [data-place^=new-trait]").get_attribute("data-place")
                    player.put(1, str(new))
                    assert all(cut(label) < 2 for label in page.locator("#mine .place-label").all())


def test_own_boards_stay_above_the_dock_of_a_desk_after_a_refusal(stage: Stage, actors: Visitors) -> None:
    for cards in HANDS:
        page = actors.host(stage.table(f"{cards} cards"), **DESK)
        player = Player(page)
        assert player.asked() == "choose"
        for card, place in enumerate(("board", "population:0", "body:0")):
            player.put(card, place)
            with case(f"{cards} cards, {place}"):
                assert hidden(page, "#mine > *") == []
        with case(f"{cards} cards, refused"):
            player.press("#play")
            expect(page.locator("#reason")).to_be_visible()
            assert hidden(page, "#mine > *") == []
        with case(f"{cards} cards, refused with a card in hand"):
            player.card(3).click()
            player.open_places()
            player.press("#play")
            expect(page.locator("#reason")).to_be_visible()
            assert hidden(page, "#mine > *") == []


def test_own_boards_are_above_the_dock_in_each_lesson_on_a_desk(visitors: Visitors) -> None:
    for language in ("en", "de", "es"):
        page = visitors.arrive(locale=language, **DESK)
        page.goto("/learn")
        for lesson in range(8):
            with case(f"lesson {lesson + 1}, {language}"):
                expect(page.locator("body")).to_have_attribute("data-lesson", str(lesson))
                assert hidden(page, "#mine > *") == []
                expect(page.locator("#lesson-text")).to_be_in_viewport(ratio=1)
                if lesson < 7:
                    page.locator("#lesson-skip").click()
