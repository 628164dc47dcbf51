/** Requests that post JSON to the server. */

/**
 * POST this value. The server refuses a request without the header `X-Wateringhole`, which a form of another site cannot send.
 *
 * @param {string} address
 * @param {unknown} value
 * @returns {Promise<Response>}
 */
export function postJson(address, value) {
  return fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Wateringhole": "1" },
    body: JSON.stringify(value),
  });
}
