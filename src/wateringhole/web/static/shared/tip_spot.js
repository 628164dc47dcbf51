/**
 * Where a tooltip goes. Knows nothing of the page: boxes in, a spot out.
 *
 * @typedef {{left: number, top: number}} TipSpot
 * @typedef {{width: number, height: number}} TipSize
 * @typedef {TipSpot & TipSize} TipBox
 */

const TIP_MARGIN = 8;

/**
 * Where a bubble of this size goes: below its owner or above it, whichever is nearer and has room; beside it where
 * neither has.
 *
 * @param {TipBox} owner
 * @param {TipSize} size
 * @param {TipBox[]} kept  what it must not cover
 * @param {TipSize} room  the window
 * @returns {TipSpot}
 */
export function tipSpot(owner, { width, height }, kept, room) {
  const left = within(owner.left + (owner.width - width) / 2, room.width - width - TIP_MARGIN);
  const lane = kept.filter((one) => one.left < left + width && one.left + one.width > left);
  const above = pushedTop(owner.top - height - TIP_MARGIN, height, lane, true);
  const below = pushedTop(owner.top + owner.height + TIP_MARGIN, height, lane, false);
  const beside = within(owner.top + (owner.height - height) / 2, room.height - height - TIP_MARGIN);
  const spots = [
    { left, top: below, away: below - owner.top - owner.height },
    { left, top: above, away: owner.top - above - height },
    { left: owner.left + owner.width + TIP_MARGIN, top: beside, away: Infinity },
    { left: owner.left - width - TIP_MARGIN, top: beside, away: Infinity },
  ].filter((spot) => spot.left >= TIP_MARGIN && spot.left + width <= room.width - TIP_MARGIN
    && spot.top >= TIP_MARGIN && spot.top + height <= room.height - TIP_MARGIN
    && !kept.some((one) => meets(spot, { width, height }, one)));
  const [nearest] = spots.sort((one, other) => one.away - other.away);
  return nearest ?? { left, top: within(owner.top - height - TIP_MARGIN, room.height - height - TIP_MARGIN) };
}

/**
 * The top of a bubble of this height, moved up or down past everything that is in its way.
 *
 * @param {number} top
 * @param {number} height
 * @param {TipBox[]} lane
 * @param {boolean} up
 * @returns {number}
 */
function pushedTop(top, height, lane, up) {
  const hit = lane.find((one) => one.top < top + height && one.top + one.height > top);
  if (!hit) return top;
  return pushedTop(up ? hit.top - height - TIP_MARGIN : hit.top + hit.height + TIP_MARGIN, height, lane, up);
}

/** @param {TipSpot} spot @param {TipSize} size @param {TipBox} box @returns {boolean} */
function meets({ left, top }, { width, height }, box) {
  return box.left < left + width && box.left + box.width > left && box.top < top + height && box.top + box.height > top;
}

/** @param {number} wanted @param {number} most @returns {number} */
function within(wanted, most) {
  return Math.max(TIP_MARGIN, Math.min(wanted, most));
}
