/**
 * The table of a page that waits, drawn from recorded events by the page's own modules; for page.evaluate.
 *
 * Laws: state, pieces, queue and motions are the page's own. `window.stage` has the show, the table as it is shown and
 * as it is after all events, the names of the events in the order in which they were applied, and what moved at each;
 * `stage.pass` lets an event happen without a show.
 */
async ({ names, you }) => {
  const [{ Opponents }, { drawQuietSide }, { drawOwnHead }, { EventShow }] = await Promise.all(
    ["opponents", "own_side", "status", "event_show"].map((name) => import(`/static/table/${name}.js`)));
  const { applyEvent, ownSide } = await import("/static/shared/table_state.js");
  const byId = (id) => document.getElementById(id);
  for (const id of ["waiting", "end"]) byId(id).hidden = true;
  for (const id of ["game", "own", "dock"]) byId(id).hidden = false;
  document.body.dataset.phase = "wait";
  for (const id of ["hole", "left", "far", "right", "hand", "mine"]) byId(id).replaceChildren();

  const seats = names.map((_, at) => at + 1);
  const room = { you, host: false, places: seats.map((seat) =>
    ({ seat, kind: "bot", name: names[seat - 1], presence: "here" })) };
  const opponents = new Opponents({ left: byId("left"), top: byId("far"), right: byId("right"), hole: byId("hole"),
    facts: byId("facts") }, () => {});
  const stage = { applied: [], moved: [], table: { names, turn: 0, phase: "choose", watering_hole: 0, deck: 122,
    players: seats.map((seat) => ({ seat, boards: [], cards: 0, lettered: 0 })), me: { seat: you, hand: [], bag: 0 } } };
  stage.latest = stage.table;
  const player = (seat) => stage.table.players.find((one) => one.seat === seat);

  function draw() {
    const mine = player(you);
    if (mine) stage.table.me.hand = Array(mine.cards).fill([0, "climbing"]);
    opponents.draw(stage.table, room, []);
    const me = ownSide(stage.table);
    byId("own").hidden = byId("dock").hidden = !me;
    if (!me) return;
    drawOwnHead(stage.table, room);
    drawQuietSide(me, null);
  }

  /** The boxes of what the motions start and end at, by the names that they have in the ids of animations. */
  function boxes() {
    const found = { hole: byId("hole").querySelector("wh-hole"), deck: byId("facts") };
    for (const one of document.querySelectorAll("#game wh-board")) {
      found[`board:${one.dataset.seat}:${one.dataset.letter}`] = one;
    }
    for (const one of document.querySelectorAll("#game wh-player")) found[`player:${one.dataset.seat}`] = one;
    found[`player:${you}`] = byId("own-head");
    found[`hand:${you}`] = byId("hand");
    return Object.fromEntries(Object.entries(found).map(([place, one]) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return [place, { left, top, right, bottom }];
    }));
  }

  /** The points that an animation passes, in the window. */
  function points(animation) {
    const { target } = animation.effect;
    const inLayer = Boolean(target.closest("#motions"));
    const rested = target.getBoundingClientRect();
    const first = new DOMMatrix(getComputedStyle(target).transform);
    const middle = { x: rested.left + rested.width / 2 - first.e, y: rested.top + rested.height / 2 - first.f };
    const moved = animation.effect.getKeyframes().map(({ transform }) => /translate\(([-\d.]+)(?:px)?, ([-\d.]+)/.exec(transform));
    return moved.filter(Boolean).map(([, x, y]) =>
      inLayer ? { x: Number(x), y: Number(y) } : { x: middle.x + Number(x), y: middle.y + Number(y) });
  }

  function apply(event) {
    const before = boxes();
    stage.table = applyEvent(stage.table, event);
    draw();
    stage.applied.push(event.type);
    const after = boxes();
    queueMicrotask(() => stage.moved.push({ type: event.type, event, before, after,
      motions: document.getAnimations().filter(({ id }) => id.startsWith(`${event.type} `)).map((animation) => ({
        id: animation.id, points: points(animation),
        animated: [...new Set(animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))],
        duration: animation.effect.getTiming().duration,
      })) }));
  }
  draw();
  stage.show = new EventShow({ apply, done: () => {}, shown: () => stage.table });
  let stale = false;
  stage.add = (events) => {
    if (stale) draw();
    stale = false;
    for (const event of events) {
      stage.show.note(event, stage.latest);
      stage.latest = applyEvent(stage.latest, event);
    }
    stage.show.add(events);
  };
  stage.pass = (event) => {
    stage.show.note(event, stage.latest);
    stage.table = stage.latest = applyEvent(stage.latest, event);
    stale = true;
  };
  window.stage = stage;
}
