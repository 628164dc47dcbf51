/**
 * The connection to a table: one WebSocket that reconnects by itself.
 *
 * Laws: knows nothing of the game. What it says first is asked for anew at every connection, because the token of a
 * seat changes with each of them, and another tab may hold the newer one. A connection on which a message waits for its
 * reply, and nothing has come for a while, is stalled until the server sends anything.
 *
 * @typedef {"connecting" | "open" | "stalled" | "lost" | "elsewhere" | "refused" | "missing" | "closed"} ConnectionState
 * @typedef {{message: (message: import("../shared/messages.js").ServerSays) => void, state: (state: ConnectionState) => void}} Listener
 */

const MIN_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5000;
const MAX_SILENCE_MS = 3000;
/** What the server replies to at once. */
const REPLIED_AT_ONCE = new Set(["check", "answer", "hint"]);
const NO_CODE = 1006;
const OPENED_ELSEWHERE = 4001;
const REFUSED = 4003;
const NO_SUCH_TABLE = 4404;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #pause = MIN_PAUSE_MS;
  #timer = 0;
  /** Runs while a message waits for its reply. */
  #silence = 0;

  /**
   * @param {string} table
   * @param {() => import("../shared/messages.js").TabSignUp} hello
   * @param {Listener} listener
   */
  constructor(table, hello, listener) {
    this.table = table;
    this.hello = hello;
    this.listener = listener;
    globalThis.addEventListener("online", () => this.#retryNow());
    // The browser may keep a socket for minutes that leads nowhere. A server on this computer is reached again at once.
    globalThis.addEventListener("offline", () => this.#reconnect());
    document.addEventListener("visibilitychange", () => this.#retryNow());
  }

  /** Connect, also again: what was open before is closed without a word. */
  open() {
    this.#drop();
    this.listener.state("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/table/${encodeURIComponent(this.table)}/line`);
    this.#socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.hello())));
    socket.addEventListener("message", (event) => this.#receive(String(event.data)));
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#closed(event.code);
    });
  }

  /**
   * Send this; false when there is no connection.
   *
   * @param {import("../shared/messages.js").PageSays} value
   * @returns {boolean}
   */
  send(value) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(value));
    if (REPLIED_AT_ONCE.has(value.type) && !this.#silence) {
      this.#silence = setTimeout(() => this.listener.state("stalled"), MAX_SILENCE_MS);
    }
    return true;
  }

  close() {
    this.#drop();
    this.listener.state("closed");
  }

  /** @param {string} text */
  #receive(text) {
    this.#endSilence();
    this.listener.state("open");
    this.#pause = MIN_PAUSE_MS;
    this.listener.message(JSON.parse(text));
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    this.#endSilence();
    if (code === OPENED_ELSEWHERE) this.listener.state("elsewhere");
    else if (code === REFUSED) this.listener.state("refused");
    else if (code === NO_SUCH_TABLE) this.listener.state("missing");
    else {
      this.listener.state("lost");
      // A little chance, so that all the pages of a table do not come back in the same instant.
      this.#timer = setTimeout(() => this.open(), this.#pause * (0.8 + 0.4 * Math.random()));
      this.#pause = Math.min(MAX_PAUSE_MS, this.#pause * 1.8);
    }
  }

  #retryNow() {
    if (this.#timer && !this.#socket && document.visibilityState === "visible") this.open();
  }

  /** Give an open socket up, as if the server had closed it. */
  #reconnect() {
    if (!this.#socket) return;
    this.#drop();
    this.#closed(NO_CODE);
  }

  #endSilence() {
    clearTimeout(this.#silence);
    this.#silence = 0;
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#endSilence();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
