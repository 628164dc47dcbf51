/** The rule book follows the look that was chosen elsewhere; it needs no script for anything else. */

import { applySettings } from "./settings.js";

applySettings();
