// The only place that names the library of YAML and its version.
export { Document, LineCounter, parseDocument, visit } from "/webjars/yaml/2.3.1/browser/index.js";
export { Collection } from "/webjars/yaml/2.3.1/browser/dist/nodes/Collection.js";
