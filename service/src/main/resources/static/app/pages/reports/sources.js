// What a report can show: the dashboards and views there are, and the definition of the one that is chosen.
import { readPages } from "../../core/outliers.js";

export const WHATS = ["dashboard", "view"];

/** All that can be shown: `{ what, id, name, folder }` each, by name. */
export async function readSources(signal) {
  const [dashboards, views] = await Promise.all(
    WHATS.map((what) => readPages(`/${what}s`, {}, signal).then(({ items }) => items.map((one) => ({ ...one, what })))),
  );
  return [...dashboards, ...views]
    .map(({ what, id, name, folder }) => ({ what, id, name, folder }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.what.localeCompare(b.what));
}

/** Those that have all words that were typed in their name or folder, or are what a word says: "view". */
export function matching(sources, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = (s) => s.name.toLowerCase().startsWith(words[0] ?? "");
  const fits = (s) => {
    const text = `${s.name} ${s.folder ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word) || word === s.what || word === `${s.what}s`);
  };
  return sources.filter(fits).sort((one, other) => Number(begins(other)) - Number(begins(one)));
}

/** What a text that was typed means: the one that is called so, else the first that matches; undefined = none. */
export const meant = (sources, typed) =>
  typed
    ? (sources.find((s) => s.name.toLowerCase() === typed.toLowerCase()) ?? matching(sources, typed)[0])
    : undefined;

/** Variables of a definition that a report can choose: those of a dashboard, the subject of a view. */
export function variablesOf(what, definition) {
  if (!definition) return [];
  if (what === "dashboard") return definition.variables ?? [];
  const { from, paths } = definition.select ?? {};
  return from === "subject" || paths?.length ? [{ name: "subject", type: "object", title: "Subject" }] : [];
}

/** Whether a report can have a part for each value of a variable. */
export const canBeListed = (v) =>
  v.type === "object" || (v.type === "tag" && Boolean(v.key)) || Boolean(v.choices?.length);
