// Rules of our own, over the syntax trees of TypeScript: what the types do not say.
const LONGEST = 120;
const MARKUP = new Set(["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "write", "writeln"]);
const EQUALITY = { EqualsEqualsToken: "===", ExclamationEqualsToken: "!==" };

module.exports = ({ program, ts, folder }) => {
  const problems = [];
  const used = new Set();
  const exported = [];
  for (const source of program.getSourceFiles()) {
    const { fileName: file, text } = source;
    if (source.isDeclarationFile || !file.startsWith(folder)) continue;
    const at = (position) => source.getLineAndCharacterOfPosition(position).line;
    const say = (position, words) => problems.push({ file, line: at(position) + 1, text: words });
    const lines = text.split("\n");
    const visit = (node) => {
      switch (node.kind) {
        case ts.SyntaxKind.BinaryExpression: {
          const instead = EQUALITY[ts.SyntaxKind[node.operatorToken.kind]];
          if (instead) say(node.getStart(), `write ${instead}`);
          else if (isAssignment(node) && MARKUP.has(node.left.name?.text))
            say(node.getStart(), "text becomes markup here");
          break;
        }
        case ts.SyntaxKind.CallExpression: {
          const { expression } = node;
          const name = expression.name?.text ?? expression.text;
          const of = expression.expression?.text;
          if (name === "eval") say(node.getStart(), "no eval");
          if (MARKUP.has(name) && (of === "document" || name.startsWith("insert") || name.startsWith("set")))
            say(node.getStart(), "text becomes markup here");
          if (of === "console") say(node.getStart(), "the console is nobody's");
          break;
        }
        case ts.SyntaxKind.NewExpression:
          if (node.expression.text === "Function") say(node.getStart(), "no new Function");
          if (node.expression.text === "Promise" && isAsync(node.arguments?.[0]))
            say(node.getStart(), "an error in an async executor is lost");
          break;
        case ts.SyntaxKind.DebuggerStatement:
          say(node.getStart(), "no debugger");
          break;
        case ts.SyntaxKind.VariableDeclarationList:
          if (!(node.flags & ts.NodeFlags.BlockScoped)) say(node.getStart(), "write const or let");
          break;
        case ts.SyntaxKind.TaggedTemplateExpression:
          if (["html", "svg"].includes(node.tag.text)) template(node.template);
          break;
        case ts.SyntaxKind.ImportDeclaration:
        case ts.SyntaxKind.ExportDeclaration:
          if (node.moduleSpecifier?.text.startsWith(".")) imports(node);
          break;
      }
      ts.forEachChild(node, visit);
    };
    /** Lines of a template that are too long, for what is code between its texts is broken by the formatter. */
    const template = (node) => {
      const parts = ts.isNoSubstitutionTemplateLiteral(node)
        ? [node]
        : [node.head, ...node.templateSpans.map((span) => span.literal)];
      const ids = new Set();
      for (const part of parts) {
        for (let line = at(part.getStart()); line <= at(part.end - 1); line++)
          if (lines[line].length > LONGEST)
            problems.push({ file, line: line + 1, text: `a line of a template is longer than ${LONGEST}` });
        for (const [, id] of part.text.matchAll(/\sid="([^"]+)"/g)) {
          if (ids.has(id)) say(part.getStart(), `the id ${id} stands twice in this template`);
          ids.add(id);
        }
      }
    };
    const imports = (node) => {
      const from = new URL(node.moduleSpecifier.text, `file://${file}`).pathname;
      const clause = node.importClause ?? node.exportClause;
      for (const name of (clause?.namedBindings ?? clause)?.elements ?? [])
        used.add(`${from} ${(name.propertyName ?? name.name).text}`);
    };
    const isAssignment = (node) => node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    const isAsync = (node) => node?.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword);
    visit(source);
    for (const name of source.symbol?.exports?.keys() ?? []) exported.push({ file, name });
  }
  return { problems: [...new Map(problems.map((p) => [JSON.stringify(p), p])).values()], used, exported };
};
