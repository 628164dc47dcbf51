/**
 * A visit to the page in Firefox: node visit.mjs ADDRESS PROGRAM
 *
 * A German newcomer goes from the lobby to a quick game, plays it by hints to its end, watches the replay, and fulfils
 * the first task of the tutorial. Everything is clicked as a player clicks it; each wait is for what the page shows.
 *
 * Laws: nothing may go wrong on the way: no error in the console, no exception, no violation of the page's policy, no
 * refused request.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { launch } from "puppeteer-core";

const PATIENCE_MS = 120_000;
const GERMAN = JSON.parse(
  readFileSync(new URL("../../../src/wateringhole/web/static/text/de.json", import.meta.url), "utf-8"));
/** What a hint for a feeding marks: a button in the dock or on a board, or the prey. */
const HINTED = "#dock [data-hint], #mine [data-hint]:not([data-feed^=attack]), button[data-target][data-open]";

/** One site is visited: processes for others, or started in advance, would only cost time. */
const FEW_PROCESSES = { "fission.autostart": false, "dom.ipc.processCount": 1, "dom.ipc.processPrelaunch.enabled": false,
  "media.rdd-process.enabled": false };

/** Everything that went wrong. @type {string[]} */
const complaints = [];

/** @param {import("puppeteer-core").Page} page */
async function listen(page) {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI || "inline"}`));
    addEventListener("unhandledrejection", (event) => console.error(`rejected: ${event.reason}`));
  });
}

/** Click the first match that is shown, in the middle of the window. */
async function press(page, selector) {
  const found = await page.waitForSelector(selector, { visible: true });
  await found.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await found.click();
}

async function lobby(page, base) {
  await page.goto(base);
  assert.equal(await page.$eval("html", (html) => html.lang), "de");
  await page.waitForSelector("#new-table form");
  await press(page, "#quick");
  await press(page, "#tour-skip");
}

/** To the end, by hints; how many answers it took. */
async function game(page) {
  const names = await page.$$eval("#hand .trait-name", (all) => all.map((one) => one.textContent));
  const german = Object.keys(GERMAN).filter((key) => /^trait\..*\.name$/.test(key)).map((key) => GERMAN[key]);
  assert.ok(names.length > 3 && names.every((name) => german.includes(name)), `on the cards: ${names}`);
  for (let answers = 0; ; answers += 1) {
    const asked = await page.waitForFunction(() =>
      ["choose", "feed", "over"].find((phase) => phase === document.body.dataset.phase));
    const phase = await asked.jsonValue();
    if (phase === "over") return answers;
    await press(page, "#hint");
    await page.waitForSelector("#hint-line:not([hidden])");
    await press(page, phase === "choose" ? "#play:enabled" : HINTED);
    await page.waitForSelector("#hint-line[hidden]");
  }
}

async function replay(page) {
  await page.waitForSelector("#end:not([hidden]) table");
  await press(page, '#end a[href^="/game/"]');
  await page.waitForSelector("html[data-ready=true]");
  const first = await page.$eval("body", (body) => Number(body.dataset.step));
  await press(page, "#forward");
  await page.waitForFunction((before) => Number(document.body.dataset.step) === before + 1, {}, first);
}

async function lesson(page, base) {
  await page.goto(`${base}/learn`);
  await page.waitForSelector('body[data-lesson="0"]');
  await press(page, '#hand [data-card="0"]');
  await press(page, '[data-place="food"][data-state=open]');
  await page.waitForSelector('#plan [data-use="food"]');
  await press(page, "#play:enabled");
  await page.waitForSelector("#lesson-end li");
}

const [base, program] = process.argv.slice(2);
const browser = await launch({
  browser: "firefox",
  executablePath: program,
  timeout: PATIENCE_MS,
  headless: true,
  args: ["--width=1280", "--height=800"],
  extraPrefsFirefox: { "intl.accept_languages": "de, en", "ui.prefersReducedMotion": 1, ...FEW_PROCESSES },
});
try {
  const [page] = await browser.pages();
  await listen(page);
  await lobby(page, base);
  assert.ok(await game(page) > 1);
  await replay(page);
  await lesson(page, base);
  assert.deepEqual(complaints, []);
} catch (error) {
  const [page] = await browser.pages();
  console.error(page.url(), await page.$eval("body", (body) => body.innerText), ...complaints);
  throw error;
} finally {
  await browser.close();
}
