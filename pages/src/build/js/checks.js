// What the build checks of the pages: that they are formatted, their types, and rules of our own. Gives the problems, a
// line each with file and line. Files that were found well formatted are remembered by their content.
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const format = require("./format.js");
const types = require("./types.js");

const HINT = "Format the pages with: mvn -pl pages antrun:run@format";

module.exports = async ({ command, work, roots }) => {
  const library = (name) => {
    const folder = path.join(work, "webjars", name);
    const [version] = fs.readdirSync(folder);
    return path.join(folder, version);
  };
  const files = roots.flatMap((root) =>
    fs
      .readdirSync(root, { recursive: true })
      .filter((file) => /\.(js|css)$/.test(file))
      .map((file) => path.join(root, file)),
  );
  const known = path.join(work, "formatted");
  const before = new Set(fs.existsSync(known) ? fs.readFileSync(known, "utf8").split("\n") : []);
  const seen = (file) => `${hash(library("prettier"), fs.readFileSync(file))} ${file}`;
  const unformatted = await format({
    files: files.filter((file) => !before.has(seen(file))),
    write: command === "format",
    library: library("prettier"),
  });
  if (!unformatted.length) fs.writeFileSync(known, files.map(seen).join("\n"));
  const problems = [...unformatted];
  if (command === "check")
    problems.push(
      ...types({
        config: path.join(__dirname, "../../../tsconfig.json"),
        library: library("typescript"),
        folder: roots[0],
      }),
    );
  return problems
    .map((p) => `${p.file}:${p.line}: ${p.text}`)
    .concat(unformatted.length ? [HINT] : [])
    .join("\n");
};

function hash(tool, content) {
  const rules = fs.readFileSync(path.join(__dirname, "format.js"));
  return crypto.createHash("sha256").update(tool).update(rules).update(content).digest("hex");
}
