// How changes on the watched objects read.
import { kindWord, propertyName } from "./metrics.js";

const called = (kind, key) => (kind === "property" ? propertyName(key) : key);

/** Who took an object away; its source, and of vCenter's objects this is vCenter. */
export const removedWords = ({ adapterKind }) =>
  adapterKind === "VMWARE" ? "removed from vCenter" : "removed at its source";

/** What changed, as words around the values: `[words, before, link, after]`. */
export function changeWords({ kind, key, before, after, author, object, seenFrom }) {
  if (seenFrom)
    return after === seenFrom
      ? [`${object.name} moved here`, before === null ? "" : "from", "", before ?? ""]
      : [`${object.name} moved away`, after === null ? "" : "to", "", after ?? ""];
  switch (kind) {
    case "new-object":
      return [`is new, a ${kindWord(object.objectKind)}`, "", "", ""];
    case "name":
      return ["was renamed from", before, "to", after];
    case "recorded":
      return [`${key}: ${after}`, "", author ? "by" : "", author ?? ""];
    case "reporting":
      return [after === "silent" ? "went silent: its last sample was then" : "reports again", "", "", ""];
    case "removed":
      return [after === "removed" ? `was ${removedWords(object)}` : "is there again", "", "", ""];
    case "placement":
      if (before === null) return ["is now in", "", "", after];
      if (after === null) return ["left", before, "", ""];
      return ["moved", before, "to", after];
    default:
      if (before === null) return [`got ${kind} ${called(kind, key)}`, "", "", after];
      if (after === null) return [`lost ${kind} ${called(kind, key)}`, before, "", ""];
      return [called(kind, key), before, "to", after];
  }
}

/** What moved to an object or away from it reads as seen from there: "shop-web-07 moved here from esx-b-02". */
export const seenFrom = (list, id, name) => list.map((c) => (c.object.id === id ? c : { ...c, seenFrom: name }));

export const changeText = (change) => changeWords(change).filter(Boolean).join(" ");
