import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SHIPPED, SHIPPED_CONFIG, SHIPPED_POPULATIONS } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { makeFolders } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
import { path } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";

export const register: Register = (verb, { output, command, cwd }) => {
  verb.argument("<dir>", "folder to create; an existing folder must be empty", path);
  withExamples(verb, ["sim init my-economy && cd my-economy && npx sim run --duration 60"]);
  verb.action((dir: string) => {
    refuseUnlessEmpty(dir);
    makeFolders(dir);
    writeFileSync(join(dir, "config.yaml"), readFileSync(SHIPPED_CONFIG));
    writeFileSync(join(dir, "README.md"), README);
    // Copies the schemas, because the created files refer to the schemas by relative path.
    cpSync(SHIPPED.schemas, join(dir, "docs", "schema"), { recursive: true });
    const counts = [...SHIPPED_POPULATIONS].map(
      ([name, shipped]) =>
        `${counted(copyPersonas(shipped, join(dir, name)), "persona")} in ${name}`,
    );
    writeFileSync(join(dir, ".gitignore"), "node_modules/\nruns/\ncheckpoints/\n");
    writeCommand(join(dir, "node_modules", ".bin"), command);
    output.line(`created ${dir} with config.yaml, ${counts.join(", ")}`);
    const enter = resolve(cwd, dir) === cwd ? "" : `cd ${quoted(dir)} && `;
    output.note(`next: ${enter}npx sim run --duration 60`);
    output.note("      npx sim run --duration 60 --agents agents-llm --model mock");
  });
};

/**
 * Writes the command that `npx sim` runs in the folder. Without it, npx would fetch the package
 * with the name `sim` from the registry, which is another project.
 */
const writeCommand = (bin: string, { node, script }: Shell["command"]): void => {
  makeFolders(bin);
  const [nodePath, scriptPath] = [node, script].map(quoted);
  const unix = `#!/bin/sh
node=${nodePath}
[ -x "$node" ] || node=node
exec "$node" ${scriptPath} "$@"
`;
  writeFileSync(join(bin, "sim"), unix, { mode: 0o755 });
  writeFileSync(join(bin, "sim.cmd"), `@"${node}" "${script}" %*\r\n`);
};

/** The text as one word of a shell. */
const quoted = (text: string): string =>
  /^[\w./@%+:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const refuseUnlessEmpty = (dir: string): void => {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isEmpty = found.isDirectory() && readdirSync(dir).length === 0;
  const fault = found.isDirectory() ? "is not empty" : "is a file";
  if (!isEmpty) throw new CliError(`${dir} ${fault}; choose a folder that does not exist`);
};

/**
 * Copies the folders with an agent.yaml, and the modules that they share, but not the library.
 * Returns the number of personas.
 */
const copyPersonas = (from: string, to: string): number => {
  const all = readdirSync(from);
  const personas = all.filter((name) => existsSync(join(from, name, "agent.yaml")));
  const modules = all.filter((name) => name.endsWith(".ts"));
  for (const name of [...personas, ...modules]) {
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
  return personas.length;
};

const README = `# An economy

- \`config.yaml\`: all settings. You may delete what you do not change; \`npx sim config\` prints
  the values in use.
- \`agents/<name>/agent.yaml\`: the agents. \`npx sim agents new NAME\` creates one,
  \`npx sim agents validate\` checks all.
- \`agents-llm/\`: agents that call language models. They need an API key or a local model server;
  \`npx sim run --agents agents-llm --estimate\` prints the estimated cost. With \`--model mock\`,
  they use a built-in mock model, which needs neither.
- \`agents-bargain/\`: a buyer and a seller that bargain by messages, without a language model.
- \`docs/schema/\`: JSON Schemas, with which editors check the files above.

    npx sim run --duration 600
    npx sim runs

\`npx sim\` runs the catallaxy that made this folder, by \`node_modules/.bin/sim\`. If that file is
missing, for example in a clone of this folder, npx offers to install another package of this name:
answer no, and copy the file from a new folder of \`sim init\`.
`;
