/** Imported before a module with texts: it speaks English then, as the page does after the server's catalogue. */
import { readFileSync } from "node:fs";
import { useTexts } from "../../../src/wateringhole/web/static/shared/text.js";

const FILE = new URL("../../../src/wateringhole/web/static/text/en.json", import.meta.url);
useTexts("en", JSON.parse(readFileSync(FILE, "utf-8")));
