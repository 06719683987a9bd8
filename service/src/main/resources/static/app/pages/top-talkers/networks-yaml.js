// Networks as YAML, loaded when somebody wants that of another format.
import { Document, visit } from "../../core/yaml.js";

const FIELDS = ["name", "cidrs", "internal", "vlan", "site", "description"];

/** As people write it: the prefixes of a network on one line, nothing of what is not set. */
export function toYaml(networks) {
  const set = (network) => FIELDS.filter((f) => (network[f] ?? null) !== null).map((f) => [f, network[f]]);
  const file = new Document({ networks: networks.map((network) => Object.fromEntries(set(network))) });
  visit(file, {
    Pair: (_key, /** @type {any} */ pair) => void (pair.key.value === "cidrs" && (pair.value.flow = true)),
  });
  return file.toString({ lineWidth: 0, flowCollectionPadding: false });
}
