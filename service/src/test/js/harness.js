// What the unit tests of the modules are written with; PageUnitsIT runs them in a browser and names each that fails.

/** It is this moment, a Monday, unless a test says otherwise with `at`. */
export const NOW = "2026-11-23T13:00:00Z";

const PATIENCE = 10_000;
const tests = [];
const strays = [];
const realFetch = window.fetch;
let now = Date.parse(NOW);
let asserted = 0;

Date.now = () => now;
addEventListener("error", (event) => strays.push(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => strays.push(event.reason));

/** Registers a test; its name is a sentence that says of something what it does. `body` may be async. */
export function test(name, body) {
  if (tests.some((t) => t.name === name)) throw new Error(`Two tests are called "${name}".`);
  tests.push({ name, body });
}

/** Until the test is over it is this moment. */
export const at = (moment) => void (now = Date.parse(moment));

/** Until the test is over the API answers from `answers`, by path without `/api/v1`. Gives what was asked. */
export function answering(answers) {
  const asked = [];
  window.fetch = async (url) => {
    const { pathname, search } = new URL(String(url), location.origin);
    const path = pathname.replace("/api/v1", "");
    asked.push(path + search);
    const known = path in answers;
    return new Response(JSON.stringify(known ? answers[path] : { title: "Not found", status: 404 }), {
      status: known ? 200 : 404,
      headers: { "Content-Type": "application/json" },
    });
  };
  return asked;
}

/** Both are the same in all their parts; NaN is the same as NaN, and what is undefined as what is not there. */
export function equal(actual, expected, about = "") {
  asserted++;
  if (!same(actual, expected))
    throw new Error(`${about ? `${about}: ` : ""}expected ${shown(expected)}, but was ${shown(actual)}`);
}

/** A number within `by` of another. */
export function close(actual, expected, by = 1e-9) {
  asserted++;
  if (!(Math.abs(actual - expected) <= by))
    throw new Error(`expected ${expected} (by ${by}), but was ${shown(actual)}`);
}

export function holds(condition, about) {
  asserted++;
  if (condition !== true) throw new Error(`it does not hold: ${about}`);
}

/** `body` throws an error whose message holds `words`. */
export function throws(body, words) {
  asserted++;
  let thrown = null;
  try {
    body();
  } catch (error) {
    thrown = error;
  }
  if (!thrown) throw new Error(`expected an error with "${words}", but there was none`);
  if (!String(thrown.message).includes(words)) throw new Error(`expected an error with "${words}"`, { cause: thrown });
}

function same(a, b) {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return same(a.getTime(), b.getTime());
  if (a instanceof Map || a instanceof Set) return same([...a], [...b]);
  if ("length" in a && a.length !== b.length) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
}

function shown(value) {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? `"${value}"` : String(value);
  if (value instanceof Map || value instanceof Set) return `${value.constructor.name} ${shown([...value])}`;
  return JSON.stringify(value, (_, v) =>
    v === undefined || (typeof v === "number" && !Number.isFinite(v)) ? String(v) : v,
  );
}

const told = (error) => {
  const stack = String(error?.stack ?? error);
  const message = String(error?.message ?? "");
  const cause = error?.cause ? `\nbecause of ${told(error.cause)}` : "";
  return (stack.includes(message) ? stack : `${message}\n${stack}`) + cause;
};

/** Nothing of a test reaches the next one: neither its moment, nor what it kept in the browser, such as its zone. */
function asNew() {
  now = Date.parse(NOW);
  window.fetch = realFetch;
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: "peerlens.zone" }));
}

/** Runs the tests of a file: `{ name, error }` of each, with `error` null when it passed. */
export async function run(file) {
  const failed = (name, error) => ({ name, error: told(error) });
  asNew();
  try {
    await import(file);
  } catch (error) {
    return [failed("the file is read", error)];
  }
  const results = tests.length ? [] : [failed("the file has tests", new Error("It registers none."))];
  for (const { name, body } of tests) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It was not over after ${PATIENCE / 1000} s.`)), PATIENCE);
    });
    try {
      asserted = 0;
      await Promise.race([body(), late]);
      if (!asserted) throw new Error("It asserts nothing, so it could not fail.");
      results.push({ name, error: null });
    } catch (error) {
      results.push(failed(name, error));
    }
    clearTimeout(timer);
    asNew();
  }
  // What is rejected and not waited for is told in a task of its own.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return results.concat(strays.map((error) => failed("nothing fails beside the tests", error)));
}
