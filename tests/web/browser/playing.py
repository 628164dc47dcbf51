"""Somebody who plays at a table in the browser: what to do is the same for all, how to do it is each device's own.

Laws: a player knows only what its page shows. It never waits for time to pass, only for the page to show something.
"""

from collections import Counter

from playwright.sync_api import Locator, Page, expect

# What this page is asked now, once more has been told than these lines: nothing while an answer is on its way.
_ASKED = """(told) => {
  const { phase } = document.body.dataset;
  if (phase === "over") return document.querySelector("#end:not([hidden]) table") ? phase : null;
  if (document.querySelectorAll("#story li").length <= told) return null;
  if (phase === "choose") return document.querySelector("#play:enabled") ? phase : null;
  return phase === "feed" && document.querySelector("#feed-options [data-feed]") ? phase : null;
}"""

# The page scrolls in the frame after it has drawn what is asked.
NEXT_FRAME = "new Promise(requestAnimationFrame)"

# Whether the way to this element leads backwards: it lies before the focus, or nothing has the focus and it is at the
# lower edge.
_LIES_BEHIND = """(selector) => {
  const here = document.activeElement;
  const there = document.querySelector(selector);
  if (here === document.body || !here) return Boolean(there.closest("#dock"));
  return Boolean(here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING);
}"""

# Where cards go, by preference; the watering hole has its card already.
_LIKED = ("board", "new-trait", "population", "body", "trait")
_FAVOURITES = ("attack", "store", "graze")
_LETTERS = {"food": "f", "board": "n", "population": "p", "body": "b", "trait": "t", "new-trait": "t"}


class Player:
    """Plays by clicks. `did` counts what it has done; `plans` is how many cards it puts down besides the first."""

    def __init__(self, page: Page, plans: int = 1) -> None:
        self.page = page
        self.plans = plans
        self.did: Counter[str] = Counter()
        self._told = -1

    # The game.

    def asked(self) -> str:
        """What the page is asked next: choose, feed, or that it is over."""
        phase: str = self.page.wait_for_function(_ASKED, arg=self._told).json_value()
        return phase

    def asked_now(self) -> str | None:
        """What the page is asked; None while it is somebody else's turn."""
        phase: str | None = self.page.evaluate(_ASKED, self._told) or None
        return phase

    def play_game(self) -> None:
        """To the end."""
        while (phase := self.asked()) != "over":
            self.answer(phase)

    def answer(self, phase: str) -> None:
        """Do something about this."""
        self._told = self.page.locator("#story li").count()
        self.did[phase] += 1
        if phase == "feed":
            self.feed()
        else:
            self.choose()

    def choose(self) -> None:
        """A plan of one's own, and a hint every third time."""
        if self.did["choose"] % 3 == 0:
            self.press("#hint")
            expect(self.page.locator("#plan [data-use=food]")).to_have_count(1)
            self.did["hint"] += 1
        else:
            self.plan()
        self.press("#play")

    def plan(self) -> None:
        """The best card for the watering hole, some others where they may go."""
        best, *rest = self.hand()
        self.put(best, "food")
        for card in rest[: self.plans]:
            place = self.take(card)
            if place is None:
                self.put_back(card)
            else:
                self.put_taken(place)

    def feed(self) -> None:
        """The boldest thing that can be done; the prey of a hint that proposes an attack."""
        if self.page.locator("[data-prey][data-hint]").count():
            self.press("[data-prey][data-hint]")
            return
        buttons = self.page.locator("[data-feed]").evaluate_all("all => all.map((one) => one.dataset.feed)")
        able = [name.split(":") for name in buttons]
        assert able, "asked to feed, but no board can"
        kind, board = min(able, key=lambda name: _FAVOURITES.index(name[0]))
        self.did[kind] += 1
        if kind == "attack":
            self.attack(int(board))
        elif [name for _, name in able].count(board) == 1 and kind == "graze":
            self.feed_board(int(board))
        else:
            self.press(f'[data-feed="{kind}:{board}"]')

    # What a page shows.

    def hand(self) -> list[int]:
        """The cards, those with the most food first."""
        food: list[int] = self.page.locator("#hand wh-card").evaluate_all("all => all.map((one) => one.data.face[0])")
        return sorted(range(len(food)), key=lambda at: -food[at])

    def card(self, card: int) -> Locator:
        return self.page.locator(f'#hand [data-card="{card}"]')

    def place(self, name: str) -> Locator:
        return self.page.locator(f'#mine [data-place="{name}"]')

    def entries(self) -> int:
        return self.page.locator("#plan li").count()

    def open_places(self) -> list[str]:
        """Where the card that was taken may go, as soon as the server has said so."""
        self.page.locator("#mine :is([data-state=open], [data-state=blocked])[data-place]").first.wait_for()
        names: list[str] = self.page.locator("#mine [data-place][data-state=open]").evaluate_all(
            "all => all.map((one) => one.dataset.place)"
        )
        return names

    def liked(self) -> str | None:
        """The best of the open places; another one each time, as far as there is a choice."""
        found = [name for name in self.open_places() if name != "food"]
        turn = self.did["placed"]
        ranked = [kind for at in range(len(_LIKED)) for kind in [_LIKED[(at + turn) % len(_LIKED)]]]
        return min(found, key=lambda name: ranked.index(name.split(":")[0]), default=None)

    # How it is done.

    def press(self, selector: str) -> None:
        self.page.locator(selector).click()

    def take(self, card: int) -> str | None:
        """Take a card; the place for it, None if there is none."""
        self.card(card).click()
        return self.liked()

    def put_taken(self, place: str) -> None:
        """Put the card that was taken there."""
        before = self.entries()
        self.place(place).click()
        expect(self.page.locator("#plan li")).to_have_count(before + 1)
        self.did["placed"] += 1

    def put(self, card: int, place: str) -> None:
        self.card(card).click()
        self.open_places()
        self.put_taken(place)

    def put_back(self, card: int) -> None:
        self.card(card).click()
        expect(self.card(card)).to_have_attribute("aria-pressed", "false")

    def feed_board(self, board: int) -> None:
        self.page.locator(f'#mine [data-board="{board}"] wh-board').click()

    def attack(self, board: int) -> None:
        self.press(f'[data-feed="attack:{board}"]')
        self.page.locator("#others [data-target][data-open]").first.click()


class Mouse(Player):
    """Drags every other card."""

    def put_taken(self, place: str) -> None:
        if self.did["placed"] % 2 == 0:
            [pressed] = self.page.locator('#hand [aria-pressed="true"]').all()
            card = int(pressed.get_attribute("data-card") or "")
            self.put_back(card)
            before = self.entries()
            self.drag(card, place)
            expect(self.page.locator("#plan li")).to_have_count(before + 1)
            self.did["placed"] += 1
            self.did["dragged"] += 1
        else:
            super().put_taken(place)
            self.did["clicked"] += 1

    def drag(self, card: int, place: str) -> None:
        """Press the button on the card, move, and let go over the place."""
        target = self.place(place)
        self.card(card).hover()
        self.page.mouse.down()
        x, y = middle(self.card(card))
        self.page.mouse.move(x + 12, y - 12, steps=3)
        self.open_places()
        # The hand lies over the lower edge, so to be in the window is not enough.
        target.evaluate("(target) => target.scrollIntoView({ block: 'center' })")
        self.page.mouse.move(*middle(target), steps=6)
        expect(self.page.locator(".ghost")).to_have_count(1)
        self.page.mouse.up()
        expect(self.page.locator(".ghost")).to_have_count(0)


class Keyboard(Player):
    """Never touches anything but keys."""

    def press(self, selector: str) -> None:
        self.tab_to(selector)
        self.key("Enter")

    def take(self, card: int) -> str | None:
        self.go_to_card(card)
        self.key("Enter")
        return self.liked()

    def put(self, card: int, place: str) -> None:
        self.go_to_card(card)
        self.key("Enter")
        self.open_places()
        self.put_taken(place)

    def put_back(self, card: int) -> None:
        self.key("Escape")
        expect(self.card(card)).to_have_attribute("aria-pressed", "false")

    def put_taken(self, place: str) -> None:
        before = self.entries()
        if self.did["placed"] % 2 == 0:
            self._spell(place)
        else:
            self._walk_to(place)
        expect(self.page.locator("#plan li")).to_have_count(before + 1)
        self.did["placed"] += 1

    def answer(self, phase: str) -> None:
        """An answer takes the focus from its button, but never to nowhere."""
        super().answer(phase)
        assert not self.is_at("body")

    def feed_board(self, board: int) -> None:
        self.key(str(board + 1))

    def attack(self, board: int) -> None:
        self.press(f'[data-feed="attack:{board}"]')
        expect(self.page.locator("[data-prey]:focus")).to_have_count(1)
        self.key("Enter")

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)
        self.did["keys"] += 1

    def go_to_card(self, card: int) -> None:
        if not self.is_at("#hand [data-card]"):
            self.tab_to("#hand [data-card]")
        for _ in range(self.page.locator("#hand [data-card]").count()):
            if self.is_at(f'[data-card="{card}"]'):
                return
            self.key("ArrowRight")
        raise AssertionError(f"the arrows do not lead to card {card}")

    def tab_to(self, selector: str) -> None:
        """With the tabulator until the focus is there; backwards if that is the shorter way."""
        key = "Shift+Tab" if self.page.evaluate(_LIES_BEHIND, selector) else "Tab"
        for _ in range(100):
            if self.is_at(selector):
                return
            self.key(key)
        raise AssertionError(f"the tabulator does not lead to {selector}")

    def is_at(self, selector: str) -> bool:
        found: bool = self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector)
        return found

    def _spell(self, place: str) -> None:
        """Letter, board, trait: as much of it as is asked for, counted from 1."""
        kind, *numbers = place.split(":")
        traits = self.page.locator(f'#mine [data-place^="trait:{":".join(numbers)}:"]').count()
        counted = [int(number) + 1 for number in numbers] + ([traits + 1] if kind == "new-trait" else [])
        before = self.entries()
        for word in (_LETTERS[kind], *map(str, counted)):
            self.key(word)
            taken = "(before) => document.querySelectorAll('#plan li').length > before"
            asks = "/^Which/.test(document.querySelector('#plan-state').textContent)"
            self.page.wait_for_function(f"(before) => ({taken})(before) || {asks}", arg=before)
            if self.entries() > before:
                self.did["spelled"] += 1
                return

    def _walk_to(self, place: str) -> None:
        for _ in range(self.page.locator("#mine button").count() + 1):
            if self.is_at(f'[data-place="{place}"]'):
                self.key("Enter")
                self.did["walked"] += 1
                return
            self.key("ArrowRight")
        raise AssertionError(f"the arrows do not lead to {place}")


class Finger(Player):
    """Taps."""

    def press(self, selector: str) -> None:
        self.page.locator(selector).tap()

    def take(self, card: int) -> str | None:
        self.card(card).tap()
        return self.liked()

    def put(self, card: int, place: str) -> None:
        self.card(card).tap()
        self.open_places()
        self.put_taken(place)

    def put_back(self, card: int) -> None:
        self.press("#put-back")
        expect(self.card(card)).to_have_attribute("aria-pressed", "false")

    def put_taken(self, place: str) -> None:
        before = self.entries()
        self.place(place).tap()
        expect(self.page.locator("#plan li")).to_have_count(before + 1)
        self.did["placed"] += 1

    def feed_board(self, board: int) -> None:
        self.page.locator(f'#mine [data-board="{board}"] wh-board').tap()

    def attack(self, board: int) -> None:
        self.press(f'[data-feed="attack:{board}"]')
        self.page.locator("[data-prey]").first.tap()


def middle(element: Locator) -> tuple[float, float]:
    """The middle of what can be seen of it."""
    box = element.bounding_box()
    assert box is not None, f"{element} cannot be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
