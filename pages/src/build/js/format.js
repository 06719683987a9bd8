// Formats modules and style sheets with prettier, or says which are not formatted.
const fs = require("node:fs");

const OPTIONS = { printWidth: 120 };

module.exports = async ({ files, write, library }) => {
  if (!files.length) return [];
  const prettier = require(`${library}/standalone.js`);
  const plugins = ["babel", "estree", "html", "postcss"].map((name) => require(`${library}/plugins/${name}.js`));
  const problems = [];
  for (const file of files) {
    const text = fs.readFileSync(file, "utf8");
    try {
      const formatted = await prettier.format(text, { ...OPTIONS, filepath: file, plugins });
      if (formatted !== text && write) fs.writeFileSync(file, formatted);
      else if (formatted !== text)
        problems.push({ file, line: firstDifference(text, formatted), text: "is not formatted" });
    } catch (e) {
      problems.push({ file, line: e.loc?.start?.line ?? 1, text: e.message.split("\n")[0] });
    }
  }
  return problems;
};

function firstDifference(before, after) {
  const other = after.split("\n");
  const lines = before.split("\n");
  return Math.max(1, lines.findIndex((line, i) => line !== other[i]) + 1);
}
