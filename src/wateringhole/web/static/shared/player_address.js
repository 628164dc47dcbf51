/** The address of a player's page. An identity becomes a part of an address only when it is encoded. */

/** The address of a player's own page. @param {string} identity @returns {string} */
export function playerAddress(identity) {
  return `/player/${asPartOfAddress(identity)}`;
}

/** A browser takes a dot, or two, for a way through folders, whatever we do. @param {string} identity */
export function asPartOfAddress(identity) {
  const encoded = encodeURIComponent(identity);
  return /^\.{0,2}$/.test(identity) ? `?of=${encoded}` : encoded;
}
