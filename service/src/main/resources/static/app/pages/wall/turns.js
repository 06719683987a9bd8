// Whose turn it is on a wall: which screen, which alert, and whether it is night. By the clock alone, so that all walls
// of a playlist show the same at the same moment, and what one asks for is there for the others.

/** So long an alert has the whole screen. */
export const WHOLE = 60_000;

/** Which of the screens is shown at `now`, and for how many milliseconds still; null when there are none. */
export function turnAt(screens, now) {
  const all = screens.reduce((n, screen) => n + screen.staySeconds * 1000, 0);
  if (!all) return null;
  let into = now % all;
  for (const [index, { staySeconds }] of screens.entries()) {
    if (into < staySeconds * 1000) return { index, left: staySeconds * 1000 - into };
    into -= staySeconds * 1000;
  }
  return { index: 0, left: 0 };
}

/** Which of so many parts of a screen is shown when so much of its stay is left; all have the same time. */
export const partAt = (parts, stay, left) =>
  Math.max(0, Math.min(parts - 1, Math.floor(((stay - left) * parts) / stay)));

/** Whether the clock lies in `{ from, to }`, which may go over midnight. */
export function isDim(dim, { hour, minute }) {
  if (!dim) return false;
  const at = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const [from, to, now] = [at(dim.from), at(dim.to), hour * 60 + minute];
  return from <= to ? from <= now && now < to : from <= now || now < to;
}

/**
 * What of the alerts that nobody has acknowledged takes the screen: `{ alert, whole, others }`, null for nothing. The
 * newest has all of it for a minute; then the first of `alerts`, which is the worst, has the upper half. `seen` says
 * since when each is known here.
 */
export function interruption(alerts, seen, now) {
  if (!alerts.length) return null;
  const fresh = alerts
    .filter((alert) => now - (seen.get(alert.id) ?? -Infinity) < WHOLE)
    .sort((a, b) => seen.get(b.id) - seen.get(a.id));
  return { alert: fresh[0] ?? alerts[0], whole: fresh.length > 0, others: alerts.length - 1 };
}
