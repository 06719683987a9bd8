// One cursor for the whole page: hovering moves it in every chart, a click pins it (also in the address), Esc frees it.
import { amend, onPlace, param } from "../core/url.js";

const followers = new Set();
export const cursor = { at: null, pinned: false };

export function follow(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

let asked = false;
function tell() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const follower of followers) follower();
  });
}

export function hover(at) {
  if (cursor.pinned || cursor.at === at) return;
  cursor.at = at;
  tell();
}

export function pin(at) {
  amend(
    { pin: at === null ? null : new Date(Math.round(at / 1000) * 1000).toISOString().replace(".000Z", "Z") },
    { replace: true },
  );
}

function fromPlace() {
  const at = Date.parse(param("pin"));
  const pinned = !Number.isNaN(at);
  if (pinned === cursor.pinned && (!pinned || at === cursor.at)) return;
  cursor.pinned = pinned;
  cursor.at = pinned ? at : null;
  tell();
}

export function startCursor() {
  onPlace(fromPlace);
  fromPlace();
}
