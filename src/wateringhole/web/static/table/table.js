/**
 * The page of a table: hears the server and hands everything to the part that it concerns.
 *
 * Laws: the table is drawn as far as its events have been shown. A request does not wait for them: from then on the own
 * side is drawn as it is after all events, so that the player can reply at once. Who is asked what is known from the
 * requests alone, so `data-phase` on <body> is what this page is asked now.
 */

import { QUICK_PAGE, setUpQuickGame } from "../lobby/quick_game.js";
import { byId, renew } from "../shared/dom.js";
import { sealNote } from "../shared/fair_deal.js";
import { lineOf, linesOf } from "../shared/event_text.js";
import { drawPlayAgain, endPanel } from "../shared/game_end.js";
import { helpButton } from "../shared/how_to_play.js";
import { hideReason, speak } from "../shared/notices.js";
import { tableTitle } from "../shared/room_text.js";
import { openRulebook } from "../shared/rulebook.js";
import { applySettings, settings, settingsButton } from "../shared/settings.js";
import { playSound } from "../shared/sound.js";
import { remember } from "../shared/storage.js";
import { applyEvent, isLastTurn, ownSide, stateOf, withOwnHand } from "../shared/table_state.js";
import { text } from "../shared/text.js";
import { Choosing } from "./choosing.js";
import { Connection } from "./connection.js";
import { EventShow } from "./event_show.js";
import { Feeding } from "./feeding.js";
import { handleKey } from "./keys.js";
import { askBeforeLeaving } from "./leaving.js";
import { Opponents } from "./opponents.js";
import { offerOwnSeat } from "./own_seat.js";
import { choosingRoom, drawQuietHand, drawQuietSide, feedingRoom, showOwnBoards } from "./own_side.js";
import { drawBanners, drawConnection, drawOwnHead, drawTrouble, playButtons, runClock, statusText, windClock } from "./status.js";
import { closeGaps, drawLeaving, heightInEvents, holdOwnSide, keepHeights, leavingBox, letGo } from "./steady_side.js";
import { Story } from "./story.js";
import { endTour, showTour, tourOnFirstVisit } from "./tour.js";
import { TurnAlert } from "./turn_alert.js";
import { Visitor } from "./visitor.js";
import { waitingPanel } from "./waiting_room.js";

/** What the server says about others after events: it is drawn once those are shown. */
const WAITING = new Set(["asked", "end"]);
/** With these events nothing is asked any more, until the server says what is. */
const UNASKED = new Set(["Revealed", "Starved", "TurnEnded", "GameOver"]);

class TablePage {
  /** @type {import("../shared/types.js").RoomMessage | null} */
  #room = null;
  /** As far as its events have been shown. @type {import("../shared/table_state.js").TableState | null} */
  #table = null;
  /** After all events. @type {import("../shared/table_state.js").TableState | null} */
  #latest = null;
  /** After each event that is not shown yet. @type {import("../shared/table_state.js").TableState[]} */
  #coming = [];
  /** @type {import("../shared/types.js").Awaited[]} */
  #awaited = [];
  /** @type {import("../shared/types.js").End | null} */
  #end = null;
  /** @type {import("./connection.js").ConnectionState} */
  #state = "connecting";
  #refusal = "";
  #lastAsked = 0;
  /** The last of each type after events still being shown. @type {import("../shared/messages.js").ServerSays[]} */
  #later = [];
  /** The lines of events that are applied and not yet drawn. @type {import("../shared/event_text.js").StoryLine[]} */
  #untold = [];

  constructor() {
    this.id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    this.visitor = new Visitor(this.id);
    this.connection = new Connection(this.id, () => this.visitor.hello(), {
      message: (message) => this.#receive(message),
      state: (state) => this.#connection(state),
    });
    const send = (/** @type {import("../shared/messages.js").PageSays} */ value) => this.connection.send(value);
    this.opponents = new Opponents({
      left: byId("left"), top: byId("far"), right: byId("right"), hole: byId("hole"), facts: byId("facts"),
    }, (seat) => send({ type: "stand_in", seat }));
    this.show = new EventShow({
      apply: (event, drawn) => this.#apply(event, drawn), done: () => this.#caughtUp(), shown: () => this.#table,
    });
    this.alert = new TurnAlert();
    this.leaving = leavingBox();
    const buttons = playButtons(() => this.#askHint());
    byId("buttons").append(...Object.values(buttons));
    byId("tools").append(helpButton(), settingsButton({ tour: showTour }));
    this.choosing = new Choosing(choosingRoom(buttons), send, this.id);
    this.feeding = new Feeding(feedingRoom(), this.opponents, send);
    this.story = new Story(byId("story"), byId("latest"));
    byId("hole").addEventListener("click", () => this.choosing.picking && this.choosing.place("food"));
    // Who takes a card looks for its place next, and has pressed nothing there yet.
    byId("hand").addEventListener("click", letGo, { capture: true });
    document.addEventListener("keydown", (event) =>
      handleKey(event, this.choosing, this.feeding, () => this.#askHint()));
    if (matchMedia("(max-width: 60rem)").matches) byId("story-box").removeAttribute("open");
  }

  open() {
    windClock();
    void openRulebook();
    this.connection.open();
    askBeforeLeaving(this.id);
    if (this.visitor.watching) void offerOwnSeat(this.id);
  }

  /** @param {import("../shared/messages.js").ServerSays} message */
  #receive(message) {
    if (message.type === "welcome" || message.type === "snapshot") this.show.skip();
    if (!this.show.playing || !WAITING.has(message.type)) return this.#handle(message);
    this.#later = [...this.#later.filter(({ type }) => type !== message.type), message];
  }

  /** @param {import("../shared/messages.js").EventsTold} told */
  #handleEvents(told) {
    if (!this.#latest) return;
    for (const event of told.events) {
      this.show.note(event, this.#latest);
      this.#latest = applyEvent(this.#latest, event);
      this.#coming.push(this.#latest);
    }
    this.#latest = withOwnHand(this.#latest, told);
    if (!this.show.playing) keepHeights();
    this.show.add(told.events);
    if (told.events.length === 0 && !this.show.playing) this.#caughtUp();
  }

  /** All events have been shown. */
  #caughtUp() {
    this.#table = this.#latest;
    this.#coming = [];
    const later = this.#later.splice(0);
    for (const message of later) this.#handle(message);
    // Each of them has drawn the table.
    if (later.length === 0) this.#draw();
    this.#tell();
    // In the frame that is laid out anyway.
    if (this.#asking()) requestAnimationFrame(closeGaps);
    else letGo();
  }

  /** @param {import("../shared/messages.js").ServerSays} message */
  #handle(message) {
    switch (message.type) {
      case "welcome":
        this.#forgetRequests(false);
        this.visitor.seated(message.token);
        this.connection.send({ type: "seen" });
        break;
      case "refused":
        this.#refusal = message.text;
        break;
      case "room":
        this.#room = message;
        return this.#draw();
      case "snapshot": return this.#handleSnapshot(message);
      case "events": return this.#handleEvents(message);
      case "asked":
        this.#awaited = message.seats;
        return this.#draw();
      case "choose": return this.#asked(message, text("notify.choose"));
      case "feed": return this.#asked(message, text("notify.feed"));
      case "checked": return this.choosing.hearChecked(message);
      case "objection": return this.#askedAs(message.id)?.hearObjection(message);
      case "hint": return this.#latest ? this.#askedAs(message.id)?.hearHint(message, this.#latest) : undefined;
      case "done": return this.#answered(message.id);
      case "new_table": return location.assign(`/table/${encodeURIComponent(message.table)}#seat=${message.token}`);
      case "end":
        this.#end = message;
        if (this.#room?.you) remember("finished", "yes");
        this.#forgetRequests(true);
        return this.#draw();
    }
  }

  /** @param {import("../shared/messages.js").Snapshot} snapshot */
  #handleSnapshot(snapshot) {
    this.#table = this.#latest = stateOf(snapshot);
    // Drawn first: what is hidden cannot be scrolled to its end.
    this.#draw();
    this.story.tell(linesOf(snapshot), true);
  }

  /** One event is shown: here the table changes. @param {import("../shared/messages.js").Event} event @param {boolean} drawn */
  #apply(event, drawn) {
    if (!this.#table) return;
    this.#untold.push(lineOf(event, this.#table));
    this.#table = applyEvent(this.#table, event);
    if (UNASKED.has(event.type)) this.#awaited = [];
    if (event.type === "Revealed") this.choosing.played = null;
    // Those that are skipped are drawn once, together: each of them would take long.
    if (!drawn) return;
    this.#draw();
    this.#tell();
  }

  #tell() {
    this.story.tell(this.#untold.splice(0), false);
  }

  /**
   * @param {import("../shared/messages.js").ChooseCards | import("../shared/messages.js").FeedBoards} asked
   * @param {string} what
   */
  #asked(asked, what) {
    if (!this.#latest || !ownSide(this.#latest)) return;
    runClock(asked.seconds, asked.showing);
    this.show.asked(asked.type === "choose" && isLastTurn(this.#latest), () => this.#begin(asked, what));
  }

  /**
   * @param {import("../shared/messages.js").ChooseCards | import("../shared/messages.js").FeedBoards} asked
   * @param {string} what
   */
  #begin(asked, what) {
    const latest = this.#latest;
    const me = latest && ownSide(latest);
    if (!me) return;
    const { playing } = this.show;
    const othersHeight = playing && this.#table && this.#room
      ? heightInEvents(this.opponents, this.#table, this.#coming, this.#room) : 0;
    if (asked.type === "choose") this.choosing.ask(asked, me);
    else this.feeding.ask(asked, me, latest);
    const again = asked.id === this.#lastAsked;
    this.#lastAsked = asked.id;
    this.#draw();
    if (playing) holdOwnSide(othersHeight);
    else requestAnimationFrame(showOwnBoards);
    if (again) return;
    speak(what);
    this.alert.call(what);
    if (this.choosing.asked && asked.seconds === null) requestAnimationFrame(tourOnFirstVisit);
  }

  /** @param {number} id */
  #answered(id) {
    this.show.begin();
    if (!this.#askedAs(id)) return;
    this.#forgetRequests(true);
    this.show.replied();
    endTour();
    hideReason();
    this.#draw();
  }

  #asking() {
    if (this.choosing.asked) return this.choosing;
    return this.feeding.asked ? this.feeding : null;
  }

  /** The part that is asked by this request; null once another is asked, or none. @param {number} id */
  #askedAs(id) {
    const asking = this.#asking();
    return asking?.asked?.id === id ? asking : null;
  }

  /** @param {import("./connection.js").ConnectionState} state */
  #connection(state) {
    if (state === this.#state) return;
    this.#state = state;
    drawConnection(state);
    this.choosing.hearConnection(state);
    if (state === "elsewhere") this.visitor.displaced();
    if (state === "refused") {
      this.visitor.refused();
      this.connection.open();
    }
    if (state === "missing") byId("waiting").hidden = true;
    this.#drawBanners();
  }

  #askHint() {
    const id = this.#asking()?.asked?.id;
    if (id !== undefined) this.connection.send({ type: "hint", id });
  }

  #draw() {
    const room = this.#room;
    if (!room) return;
    const phase = this.#phase(room);
    document.body.dataset.phase = phase;
    const title = tableTitle(room);
    byId("title").textContent = title;
    byId("status").textContent = statusText(phase, room, this.#asking() ? this.#latest : this.#table, this.#awaited);
    this.alert.title(this.#asking() !== null, title);
    byId("waiting").hidden = room.stage !== "open" || this.#state === "missing";
    byId("game").hidden = this.#table === null;
    if (room.stage === "open") this.#drawWaiting(room);
    if (this.#table) this.#drawTable(this.#table, room);
    this.#drawSeal(room);
    this.#drawEnd(room);
    this.#drawBanners();
  }

  /** @param {import("../shared/types.js").RoomMessage} room */
  #phase(room) {
    if (room.stage === "open") return "waiting";
    if (this.#end || this.#table?.phase === "over" || (room.stage === "over" && !this.show.playing)) return "over";
    if (this.choosing.asked) return "choose";
    return this.feeding.asked ? "feed" : "wait";
  }

  /** @param {import("../shared/types.js").RoomMessage} room */
  #drawWaiting(room) {
    const focused = document.activeElement?.id ?? "";
    renew(byId("waiting"), waitingPanel(room, {
      said: this.#refusal,
      begin: () => this.connection.send({ type: "begin" }),
      change: (seat, chair) => this.connection.send({ type: "change", seat, chair }),
      leave: () => this.connection.send({ type: "leave" }),
      join: (typed) => {
        this.#refusal = "";
        this.visitor.signUp(typed);
        this.connection.open();
      },
    }));
    if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
  }

  /** @param {import("../shared/table_state.js").TableState} table @param {import("../shared/types.js").RoomMessage} room */
  #drawTable(table, room) {
    this.opponents.draw(table, room, this.#awaited);
    const own = this.#asking() && this.#latest ? this.#latest : table;
    const me = ownSide(own);
    byId("own").hidden = me === null;
    // Until the result can take the focus, the dock keeps it.
    byId("dock").hidden = me === null || this.#end !== null;
    drawLeaving(this.leaving, ownSide(table), me);
    if (this.feeding.asked) this.feeding.draw();
    if (!me) return;
    drawOwnHead(own, room);
    if (this.choosing.asked) return;
    if (this.feeding.asked) drawQuietHand(me.hand);
    else drawQuietSide(me, this.choosing.played);
  }

  /** @param {import("../shared/types.js").RoomMessage} room */
  #drawSeal({ seal }) {
    const box = byId("fair");
    if (seal === null || box.dataset.seal === seal) return;
    box.dataset.seal = seal;
    byId("fair-body").replaceChildren(...sealNote(seal));
    box.hidden = false;
  }

  /** @param {import("../shared/types.js").RoomMessage} room */
  #drawEnd(room) {
    const box = byId("end");
    if (!this.#end) return;
    if (box.hidden) this.#openEnd(box, this.#end, room);
    drawPlayAgain(box, room, {
      want: () => this.connection.send({ type: "rematch" }), begin: () => this.connection.send({ type: "begin" }),
    });
  }

  /** @param {HTMLElement} box @param {import("../shared/types.js").End} end @param {import("../shared/types.js").RoomMessage} room */
  #openEnd(box, end, room) {
    box.replaceChildren(endPanel(end, room));
    box.hidden = false;
    speak(text("end.over"));
    playSound("end", settings());
    // At once: until then the focus would be nowhere, since the buttons that had it have gone.
    if (room.you !== null) box.querySelector("h2")?.focus({ preventScroll: true });
    requestAnimationFrame(() => scrollTo(0, 0));
  }

  #drawBanners() {
    drawBanners(this.#state, this.#room, {
      back: () => this.connection.send({ type: "back" }),
      reopen: () => this.connection.open(),
    });
  }

  /** @param {boolean} answered */
  #forgetRequests(answered) {
    this.choosing.close(answered);
    this.feeding.close();
    letGo();
    runClock(null);
  }
}

/** The page of a quick game becomes that of its table; the others are one already. */
async function openPage() {
  applySettings();
  const trouble = location.pathname === QUICK_PAGE ? await setUpQuickGame() : "";
  if (trouble) drawTrouble(trouble);
  else new TablePage().open();
}

void openPage();
