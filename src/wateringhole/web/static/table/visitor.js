/**
 * The identity of this page at a table: the first message of a connection, and what is kept for the next one.
 *
 * Laws: the host's key, or the token of a seat, leaves the address bar at once. A token is stored the moment the server
 * gives it, because it is the only way back to the seat; one from an address never takes the place of a stored one.
 */

import { ownName, remember, remembered } from "../shared/storage.js";

export class Visitor {
  /** @type {{name: string, key: string} | null} */
  #signUp = null;
  /** The token of the seat, also where the browser stores nothing. @type {string | null} */
  #token = null;
  /** The token in the address: any page can make a link to here. @type {string | null} */
  #invited = null;
  /** The token that was offered last. @type {string | null} */
  #offered = null;

  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.watching = new URLSearchParams(location.search).has("watch");
    // A tab that has lost the seat may store its token late: the one that has it stores its own again.
    globalThis.addEventListener("storage", ({ key }) => {
      if (key === `wateringhole.seat.${table}` && this.#token !== null) remember(`seat.${table}`, this.#token);
    });
    const hash = new URLSearchParams(location.hash.slice(1));
    const [key, seat] = [hash.get("key"), hash.get("seat")];
    if (key === null && seat === null) return;
    history.replaceState(null, "", location.pathname + location.search);
    this.#invited = seat;
    if (seat === null) this.#signUp = { name: ownName(), key: key ?? "" };
  }

  /** What to say first. Without a seat, a page watches until its user takes one. @returns {import("../shared/messages.js").TabSignUp} */
  hello() {
    this.#offered = this.watching ? null : remembered(`seat.${this.table}`) ?? this.#token ?? this.#invited;
    if (this.#offered !== null) return { type: "sign_up", wateringhole: 1, token: this.#offered };
    return { type: "sign_up", wateringhole: 1, ...(this.#signUp ?? { watch: true }) };
  }

  /** Say this name next time. @param {string} name */
  signUp(name) {
    this.watching = false;
    this.#signUp = { name, key: this.#signUp?.key ?? "" };
  }

  /** @param {string} token */
  seated(token) {
    this.#token = token;
    remember(`seat.${this.table}`, token);
    this.#signUp = null;
  }

  /** Another tab has the seat now. */
  displaced() {
    this.#token = null;
  }

  /** The server wants none of this: what is left is a newer token of another tab, or to watch. */
  refused() {
    this.#token = null;
    if (this.#offered === this.#invited) this.#invited = null;
    if (this.#offered === null) this.#signUp = null;
    else if (remembered(`seat.${this.table}`) === this.#offered) remember(`seat.${this.table}`, null);
  }
}
