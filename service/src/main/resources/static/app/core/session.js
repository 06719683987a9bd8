// Who is signed in. `info` is null until the first answer, and while nobody is. `link` is the secret of a public link,
// which then stands in place of a session; it is in the memory of the page only.
import { redraw } from "./bus.js";

export const session = { info: null, asking: false, error: null, busy: false, link: null };

const RANK = { viewer: 0, operator: 1, admin: 2 };
let waiting = [];

/** What a control says that the caller's role does not suffice for. */
export const NEEDS = "Needs the role operator";

/** Whether the caller's role suffices; a control that needs more is shown disabled with the role it needs. */
export const may = (role) => session.info !== null && RANK[session.info.role] >= RANK[role];

/** Asks for a sign-in over the page as it stands; resolves when somebody has signed in. */
export function signInFirst() {
  session.asking = true;
  redraw();
  return new Promise((resolve) => waiting.push(resolve));
}

export async function loadSession() {
  const answer = await fetch("/api/v1/session", { headers: { Accept: "application/json" } });
  session.info = answer.ok ? await answer.json() : null;
  return session.info !== null;
}

/** Somebody is signed in: what waited for that goes on. */
export function signedIn(info) {
  session.info = info;
  session.asking = false;
  const now = waiting;
  waiting = [];
  for (const resolve of now) resolve();
  redraw();
}

let underway = null;
/**
 * Resolves when a sign-in that is under way is over: until then the cookie may be of one session and `info` of another.
 */
export const signingIn = () => underway;

export function signIn(token) {
  underway = open(token).finally(() => (underway = null));
  return underway;
}

async function open(token) {
  session.busy = true;
  session.error = null;
  redraw();
  try {
    const answer = await fetch("/api/v1/session", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ token: token.trim() }),
    });
    const body = await answer.json().catch(() => ({}));
    if (answer.ok) signedIn(body);
    else {
      const wait = answer.headers.get("Retry-After");
      session.error =
        (body.detail ?? body.title ?? `The server answered ${answer.status}.`) +
        (wait ? ` Try again in ${wait} s.` : "");
    }
  } catch {
    session.error = "The server does not answer. Is Peerlens running?";
  } finally {
    session.busy = false;
    redraw();
  }
}

export async function signOut() {
  await fetch("/api/v1/session", { method: "DELETE", headers: { "X-CSRF-Token": session.info?.csrfToken ?? "" } });
  location.assign("/");
}
