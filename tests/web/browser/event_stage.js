/**
 * The table of a page that waits, drawn from recorded events by the page's own modules; for page.evaluate.
 *
 * Laws: pieces, queue and motions are the page's own. Only the state after an event is worked out here. `window.stage` has
 * the show, the names of the events in the order in which they were applied, and what moved at each of them.
 */
async ({ names, you }) => {
  const [{ Opponents }, { drawQuietBoards, drawQuietHand }, { drawOwnHead }, { EventShow }] = await Promise.all(
    ["opponents", "own_side", "status", "event_show"].map((name) => import(`/static/table/${name}.js`)));
  const byId = (id) => document.getElementById(id);
  for (const id of ["waiting", "end"]) byId(id).hidden = true;
  for (const id of ["game", "own", "dock"]) byId(id).hidden = false;
  document.body.dataset.phase = "wait";
  byId("hole").replaceChildren();

  const seats = names.map((_, at) => at + 1);
  const table = { turn: 0, phase: "choose", watering_hole: 0, deck: 122, asked: [], me: null,
    players: seats.map((seat) => ({ seat, name: names[seat - 1], boards: [], cards: 0, bag: 0 })) };
  const room = { you, host: false, places: seats.map((seat) =>
    ({ seat, kind: "bot", name: names[seat - 1], presence: "here" })) };
  const opponents = new Opponents({ left: byId("left"), top: byId("far"), right: byId("right"), hole: byId("hole"),
    facts: byId("facts") }, () => {});
  const player = (seat) => table.players.find((one) => one.seat === seat);

  function draw() {
    opponents.draw(table, room);
    const mine = player(you);
    byId("own").hidden = byId("dock").hidden = !mine;
    if (!mine) return;
    table.me = { seat: you, boards: mine.boards, hand: Array(mine.cards).fill([0, "climbing"]), bag: mine.bag };
    drawOwnHead(table, room);
    drawQuietHand(byId("hand"), table.me.hand);
    drawQuietBoards(byId("mine"), table.me);
  }

  const board = (traits) => ({ population: 1, body: 0, food: 0, fat_food: 0, traits });
  const take = (owner, cards) => {
    owner.cards += cards;
    table.deck -= cards;
  };
  const change = (event, changed) => {
    const owner = player(event.seat);
    owner.boards = owner.boards.map((one, at) => (at === event.board ? { ...one, ...changed(one) } : one));
  };
  const effects = {
    TurnStarted: ({ turn, watering_hole, deck }) => Object.assign(table, { turn, watering_hole, deck }),
    BoardGiven: ({ seat }) => (player(seat).boards = [...player(seat).boards, board([])]),
    CardsDealt: ({ seat, cards }) => take(player(seat), cards),
    Revealed: ({ seat, watering_hole, boards, replaced, population, body }) => {
      const owner = player(seat);
      table.watering_hole = watering_hole;
      owner.cards -= 1 + boards.flat().length + boards.length + replaced.length + population.length + body.length;
      owner.boards = [...owner.boards, ...boards.map(board)];
      for (const [at, slot, trait] of replaced) {
        change({ seat, board: at }, ({ traits }) => ({ traits: traits.with(slot, trait) }));
      }
      for (const at of population) change({ seat, board: at }, (old) => ({ population: old.population + 1 }));
      for (const at of body) change({ seat, board: at }, (old) => ({ body: old.body + 1 }));
    },
    Bred: (event) => change(event, () => ({ population: event.population })),
    FatMoved: (event) => change(event, (old) => ({ food: old.food + event.tokens, fat_food: old.fat_food - event.tokens })),
    FatStored: (event) => {
      table.watering_hole -= event.tokens;
      change(event, (old) => ({ fat_food: old.fat_food + event.tokens }));
    },
    Ate: (event) => {
      table.watering_hole -= event.tokens;
      change(event, (old) => ({ food: old.food + event.tokens }));
    },
    AnimalLost: (event) => change(event, (old) =>
      ({ population: event.population, food: Math.min(old.food, event.population) })),
    Starved: (event) => change(event, () => ({ population: event.population })),
    Extinct: ({ seat, board: at, cards }) => {
      player(seat).boards = player(seat).boards.toSpliced(at, 1);
      take(player(seat), cards);
    },
    TurnEnded: () => table.players.forEach((owner) => {
      owner.bag += owner.boards.reduce((sum, { food }) => sum + food, 0);
      owner.boards = owner.boards.map((old) => ({ ...old, food: 0 }));
    }),
    Expelled: ({ seat }) => (table.players = table.players.filter((one) => one.seat !== seat)),
  };

  /** The boxes of what the motions start and end at, by the names that they have in the ids of animations. */
  function boxes() {
    const found = { hole: byId("hole").querySelector("wh-hole"), deck: byId("facts") };
    for (const one of document.querySelectorAll("#game wh-board")) {
      found[`board:${one.dataset.seat}:${one.dataset.index}`] = one;
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

  const applied = [];
  const moved = [];
  function apply(event) {
    const before = boxes();
    effects[event.type]?.(event);
    draw();
    applied.push(event.type);
    const after = boxes();
    queueMicrotask(() => moved.push({ type: event.type, event, before, after,
      motions: document.getAnimations().filter(({ id }) => id.startsWith(`${event.type} `)).map((animation) => ({
        id: animation.id, points: points(animation),
        animated: [...new Set(animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))],
        duration: animation.effect.getTiming().duration,
      })) }));
  }
  draw();
  window.stage = { applied, moved, table, show: new EventShow({
    apply, done: () => {}, boards: (seat) => player(seat)?.boards ?? [], seats: () => table.players.map(({ seat }) => seat),
    you: () => you, nameOf: (seat) => names[seat - 1],
  }) };
}
