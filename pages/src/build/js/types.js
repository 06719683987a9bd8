// Checks types, by JSDoc and inference, with TypeScript; the rules stand in tsconfig.json. Its syntax trees are linted.
const lint = require("./lint.js");

module.exports = ({ config, library, folder }) => {
  const ts = require(`${library}/lib/typescript.js`);
  const found = [];
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (d) => found.push(d) };
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(config, {}, host);
  const program = ts.createProgram(fileNames, options);
  found.push(...errors, ...ts.getPreEmitDiagnostics(program));
  const mistakes = found.map((d) => ({
    file: d.file?.fileName ?? config,
    line: d.file ? d.file.getLineAndCharacterOfPosition(d.start).line + 1 : 1,
    text: `${ts.flattenDiagnosticMessageText(d.messageText, " ")} (TS${d.code})`,
  }));
  return [...mistakes, ...lint({ program, ts, folder }).problems];
};
