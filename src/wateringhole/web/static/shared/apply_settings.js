/** Applies the settings of this browser to a page that has nothing else to run. */

import { applySettings } from "./settings.js";

applySettings();
