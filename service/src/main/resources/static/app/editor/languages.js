// Languages of the editor: what each part of a text is, for its colours and for the pairs of brackets.
import {
  Decoration,
  defineLanguageFacet,
  Language,
  languageDataProp,
  NodeSet,
  NodeType,
  Parser,
  RangeSetBuilder,
  styleTags,
  syntaxTree,
  tags,
  Tree,
  ViewPlugin,
  yamlLanguage,
} from "/webjars/codemirror/codemirror.js";

/** What a reader of ours calls a part, and what CodeMirror does. */
const TAGS = {
  fn: tags.function(tags.variableName),
  key: tags.propertyName,
  str: tags.string,
  num: tags.number,
  op: tags.operator,
};
const KINDS = [...Object.keys(TAGS), "name", "val", "blank"];

/** Parser of a text that `read(text)` parts into `{ tokens }`, each with kind, start and end; always of the whole text. */
class TokenParser extends Parser {
  constructor(read, data) {
    super();
    this.read = read;
    this.nodes = new NodeSet([
      NodeType.define({ id: 0, name: "Text", top: true, props: [[languageDataProp, data]] }),
      ...KINDS.map((name, n) => NodeType.define({ id: n + 1, name })),
    ]).extend(styleTags(TAGS));
  }

  createParse(input) {
    return {
      parsedPos: 0,
      stoppedAt: null,
      stopAt() {},
      advance: () => this.tree(input.read(0, input.length), input.length),
    };
  }

  tree(text, length) {
    const { types } = this.nodes;
    const tokens = this.read(text).tokens;
    const parts = tokens.map(({ kind, start, end }) => new Tree(types[KINDS.indexOf(kind) + 1], [], [], end - start));
    const starts = tokens.map(({ start }) => start);
    return new Tree(types[0], parts, starts, length).balance();
  }
}

const known = new Map();

function ofTokens(read) {
  if (!known.has(read)) {
    const data = defineLanguageFacet();
    known.set(read, new Language(data, new TokenParser(read, data)).extension);
  }
  return known.get(read);
}

const PLACEHOLDER = /\$\{[^}\n]*\}?/g;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const [placeholder, number] = ["placeholder", "number"].map((name) => Decoration.mark({ class: `cm-${name}` }));

/** What templates hold besides YAML: placeholders, in texts too; and numbers, which the parser of YAML does not tell from texts. */
const inTemplates = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view),
    update(change) {
      if (change.docChanged || change.viewportChanged || syntaxTree(change.startState) !== syntaxTree(change.state)) {
        this.marks = marksOf(change.view);
      }
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function marksOf({ state, visibleRanges }) {
  const found = [];
  for (const { from, to } of visibleRanges) {
    const text = state.sliceDoc(from, to);
    for (const { 0: part, index } of text.matchAll(PLACEHOLDER)) {
      found.push([from + index, from + index + part.length, placeholder]);
    }
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        if (node.name === "Literal" && NUMBER.test(state.sliceDoc(node.from, Math.min(node.to, node.from + 40)))) {
          found.push([node.from, node.to, number]);
        }
      },
    });
  }
  const marks = new RangeSetBuilder();
  for (const [from, to, mark] of found.sort((a, b) => a[0] - b[0])) marks.add(from, to, mark);
  return marks.finish();
}

/** Of templates when it is "yaml"; of what `read(text)` parts when it is a function. */
export const languageOf = (language) => (language === "yaml" ? [yamlLanguage, inTemplates] : ofTokens(language));
