/**
 * Browser storage: the user's name, seats, settings.
 *
 * Laws: a browser that refuses to store anything must not stop the game, so every access may fail silently.
 */

/** Even to look for the storage may fail. @param {() => Storage} storage @param {string} key @returns {string | null} */
function stored(storage, key) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} key @param {string | null} value */
function store(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Full or forbidden: then it is forgotten.
  }
}

/** @param {string} key @returns {string | null} */
export function remembered(key) {
  return stored(() => localStorage, `wateringhole.${key}`);
}

/** Null forgets it. @param {string} key @param {string | null} value */
export function remember(key, value) {
  store(() => localStorage, `wateringhole.${key}`, value);
}

/**
 * What is remembered under keys that begin like this, by the rest of the key.
 *
 * @param {string} prefix
 * @returns {Map<string, string>}
 */
export function rememberedUnder(prefix) {
  const start = `wateringhole.${prefix}`;
  try {
    return new Map(Object.entries(localStorage).flatMap(([key, value]) =>
      key.startsWith(start) ? [[key.slice(start.length), String(value)]] : []));
  } catch {
    return new Map();
  }
}

/** For as long as this tab is open. @param {string} key @returns {string | null} */
export function noted(key) {
  return stored(() => sessionStorage, `wateringhole.${key}`);
}

/** @param {string} key @param {string | null} value */
export function note(key, value) {
  store(() => sessionStorage, `wateringhole.${key}`, value);
}

/** The name that the user gave last, or the empty text. @returns {string} */
export function ownName() {
  return remembered("name") ?? "";
}
