"""The tutorial: a newcomer plays it to its end, by finger and by keys, and can leave and resume it."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.web.browser.playing import Finger, Keyboard, Player
from tests.web.browser.visitors import Visitors

PHONE: ViewportSize = {"width": 390, "height": 844}
LESSONS = 8


def begun(page: Page, lesson: int) -> None:
    """Wait for this lesson and what it asks."""
    expect(page.locator("body")).to_have_attribute("data-lesson", str(lesson))
    expect(page.locator("#lesson-place")).to_have_text(f"{lesson + 1} of {LESSONS}")
    page.wait_for_function("() => ['choose', 'feed'].includes(document.body.dataset.phase)")


def learn(player: Player) -> None:
    """Fulfil one task after the other."""
    page = player.page
    for lesson in range(LESSONS):
        begun(page, lesson)
        if lesson < 3:
            player.put(0, "food")
        if lesson == 1:
            player.put(1, "population:0")
        elif lesson == 2:
            player.put(1, "board")
            player.put(2, "new-trait:1")
        if lesson < 3:
            player.press("#play")
        elif lesson in {4, 5}:
            player.attack(0)
        else:
            player.press('[data-feed="graze:0"]')
        expect(page.locator("#lesson-end li").first).to_be_visible()
        if lesson < LESSONS - 1:
            player.press("#lesson-next")
    expect(page.locator(".lesson-ranking tbody tr").first).to_have_text("Ann164323")
    player.press("#first-game")
    page.wait_for_url("**/table/*")
    assert player.asked() == "choose"
    names = page.locator("#others wh-player .player-name")
    expect(names).to_have_text(["easy 2", "easy 3", "easy 4"])
    # The tour has nothing new for this player.
    expect(page.locator(".tour")).to_have_count(0)


def test_the_whole_tutorial_by_touch(visitors: Visitors) -> None:
    page = visitors.arrive(toured=False, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/")
    page.locator("#learn").tap()
    learn(Finger(page))


def test_the_whole_tutorial_by_keys(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/learn")
    learn(Keyboard(page))


def test_a_move_that_is_illegal_or_misses_the_task_says_why_and_the_tutorial_is_resumed_where_it_was_left(
    visitors: Visitors,
) -> None:
    page = visitors.arrive()
    page.goto("/learn")
    player = Player(page)
    begun(page, 0)
    reason = page.locator("#reason")
    player.press("#play")
    expect(reason).to_contain_text("to the watering hole")
    player.put(1, "food")
    player.press("#play")
    expect(reason).to_contain_text("This card takes food away.")
    player.press("#undo")
    player.put(0, "food")
    player.press("#play")
    expect(page.locator("#lesson-next")).to_be_focused()
    page.goto("/")
    page.goto("/learn")
    begun(page, 1)
    player.press("#lesson-back")
    begun(page, 0)
    page.reload()
    begun(page, 0)
    page.evaluate("localStorage.setItem('wateringhole.lesson', 'no number')")
    page.reload()
    for lesson in range(5):
        begun(page, lesson)
        player.press("#lesson-skip")
    begun(page, 5)
    player.press('[data-feed="attack:0"]')
    page.locator('[data-target="2:0"]').click()
    expect(reason).to_contain_text("It climbs")
    page.locator('[data-target="3:0"]').click()
    expect(reason).to_contain_text("Its herd")
    player.press("#decline")
    expect(reason).to_contain_text("Your carnivore is still hungry")
    player.press('[data-feed="attack:0"]')
    page.locator('[data-target="3:1"]').click()
    expect(page.locator("#lesson-end")).to_contain_text("loses an animal")
