/** How often a table's page tries to come back when its connection is lost, on a simulated clock. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Connection } from "../../../src/wateringhole/web/static/table/connection.js";

/** The sockets that the page has opened, each as the server sees it. */
const sockets = [];

class Socket extends EventTarget {
  static OPEN = 1;
  readyState = Socket.OPEN;

  constructor() {
    super();
    sockets.push(this);
  }

  say(value) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(value) }));
  }

  drop() {
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1006 }));
  }
}

const browser = new EventTarget();
globalThis.addEventListener = browser.addEventListener.bind(browser);
globalThis.document = new EventTarget();
globalThis.location = { protocol: "http:", host: "localhost" };
globalThis.WebSocket = Socket;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  new Connection("table", () => ({}), { message: () => {}, state: () => {} }).open();
});
afterEach(() => {
  mock.timers.reset();
  sockets.length = 0;
});

/** How many sockets are opened in so many milliseconds after the last one is lost. */
function openedAfterLoss(milliseconds) {
  const before = sockets.length;
  sockets.at(-1).drop();
  mock.timers.tick(milliseconds);
  return sockets.length - before;
}

test("while nobody answers it tries less and less often, but every six seconds at least", () => {
  assert.equal(openedAfterLoss(360), 1);
  for (let loss = 0; loss < 20; loss += 1) assert.equal(openedAfterLoss(6_000), 1);
  assert.equal(openedAfterLoss(3_999), 0);
});

test("it comes back as soon as the first time whenever the server has said something since", () => {
  for (let loss = 0; loss < 20; loss += 1) {
    sockets.at(-1).say({ type: "room" });
    assert.equal(openedAfterLoss(360), 1);
  }
});
