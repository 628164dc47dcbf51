/**
 * The page of a player: rating, opponents, last games.
 *
 * @typedef {import("./lists.js").Known & {meetings: number, ahead: number}} Opponent
 * @typedef {import("./lists.js").Rung & {wins: number, mean_score: number, opponents: Opponent[],
 *   last: import("./lists.js").ListedGame[]}} Profile
 */
import { byId, h } from "../shared/dom.js";
import { asPartOfAddress } from "../shared/player_address.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { decimalText, numberText, percentText, text } from "../shared/text.js";
import { asked, botTag, gameItem, playerLink, ratingBand } from "./lists.js";

const USUAL_RATINGS = { low: 0, high: 50 };

/** Whose page this is, as the address says it. @returns {string} */
function whose() {
  const given = new URLSearchParams(location.search).get("of");
  if (given !== null) return given;
  const part = location.pathname.split("/").slice(2).join("/");
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address that a user has typed
  }
}

/** @param {Profile} profile */
function showProfile(profile) {
  document.title = `${profile.name} - wateringhole`;
  const scale = { low: Math.min(USUAL_RATINGS.low, profile.low), high: Math.max(USUAL_RATINGS.high, profile.high) };
  byId("title").replaceChildren(h("bdi", {}, profile.name || text("list.no-name")), profile.bot ? botTag() : "");
  byId("unproved").hidden = profile.bot;
  byId("figures").replaceChildren(
    figure(text("player.place"), h("a", { href: "/ladder" }, numberText(profile.place))),
    figure(text("ladder.rating"), ratingBand(profile, scale)),
    figure(text("ladder.games"),
      h("a", { href: `/games?player=${encodeURIComponent(profile.identity)}` }, numberText(profile.games))),
    figure(text("player.wins"), text("player.wins.value",
      { wins: Math.round(10 * profile.wins) / 10, share: percentText(profile.wins / profile.games) })),
    figure(text("player.mean-score"), decimalText(profile.mean_score, 1)));
  byId("opponents").replaceChildren(profile.opponents.length ? opponentsTable(profile.opponents)
    : h("p", { class: "soft nothing" }, text("player.opponents.none")));
  byId("games").replaceChildren(...(profile.last.length ? profile.last.map(gameItem)
    : [h("li", { class: "soft nothing" }, text("player.last.none"))]));
  for (const part of document.querySelectorAll("[data-known]")) part.removeAttribute("hidden");
}

/** @param {string} what @param {Node | string} value */
function figure(what, value) {
  return h("div", {}, h("dt", {}, what), h("dd", {}, value));
}

/** @param {Opponent[]} opponents */
function opponentsTable(opponents) {
  return h("table", { class: "opponents" },
    h("caption", { class: "visually-hidden" }, text("player.opponents.caption")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, text("ladder.player")),
      h("th", { scope: "col", class: "number" }, text("player.met")),
      h("th", { scope: "col", class: "number" }, text("player.ahead")))),
    h("tbody", {}, ...opponents.map((other) => h("tr", {}, h("td", {}, playerLink(other)),
      h("td", { class: "number" }, other.meetings), h("td", { class: "number" }, other.ahead)))));
}

async function openPlayer() {
  applySettings();
  byId("tools").append(settingsButton());
  const identity = whose();
  byId("title").textContent = identity || text("list.no-name");
  try {
    showProfile(await asked(`/api/players/${asPartOfAddress(identity)}`));
  } catch (error) {
    byId("problem").replaceChildren(error instanceof Error ? error.message : String(error), " ",
      h("a", { href: "/ladder" }, text("player.see-ladder")), " ", h("a", { href: "/games" }, text("player.see-games")));
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

void openPlayer();
