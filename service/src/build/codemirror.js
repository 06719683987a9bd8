// What the editors of the pages use of CodeMirror: the build makes one module of it, /webjars/codemirror/codemirror.js.
export {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { yamlLanguage } from "@codemirror/lang-yaml";
export {
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  indentOnInput,
  Language,
  languageDataProp,
  syntaxHighlighting,
  syntaxTree,
} from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Compartment, EditorState, Prec, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, keymap, lineNumbers, showPanel, tooltips, ViewPlugin } from "@codemirror/view";
export { NodeSet, NodeType, Parser, Tree } from "@lezer/common";
export { styleTags, tags } from "@lezer/highlight";
