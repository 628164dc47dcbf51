/**
 * Who this page is at a table: the first words on the line, and what is kept for the next time.
 *
 * Laws: the host's key leaves the address bar at once. A token is stored the moment it comes, because it is the only
 * way back to the seat.
 */

import { ownName, remember, remembered } from "./memory.js";

export class Visitor {
  /** @type {{name: string, key: string} | null} */
  #signUp = null;

  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.watching = new URLSearchParams(location.search).has("watch");
    const hash = new URLSearchParams(location.hash.slice(1));
    const key = hash.get("key");
    if (key !== null || hash.has("join")) {
      history.replaceState(null, "", location.pathname + location.search);
      this.#signUp = { name: ownName(), key: key ?? "" };
    }
  }

  /** What to say first. Without a seat, a page watches until its user takes one. @returns {object} */
  hello() {
    const token = this.watching ? null : remembered(`seat.${this.table}`);
    if (token !== null) return { wateringhole: 1, token };
    return this.#signUp ? { wateringhole: 1, ...this.#signUp } : { wateringhole: 1, watch: true };
  }

  /** Say this name next time. @param {string} name */
  signUp(name) {
    this.watching = false;
    this.#signUp = { name, key: this.#signUp?.key ?? "" };
  }

  /** @param {string} token */
  seated(token) {
    remember(`seat.${this.table}`, token);
    this.#signUp = null;
  }

  /** The server wants none of this: what is left is to watch. */
  refused() {
    if (remembered(`seat.${this.table}`) !== null) remember(`seat.${this.table}`, null);
    else this.#signUp = null;
  }
}
