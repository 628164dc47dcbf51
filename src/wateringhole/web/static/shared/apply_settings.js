/** A page that only has something to read follows the look that was chosen elsewhere. */

import { applySettings } from "./settings.js";

applySettings();
