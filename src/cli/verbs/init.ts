import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHIPPED, SHIPPED_CONFIG, SHIPPED_POPULATIONS } from "../../runner/index.ts";
import { makeFolders } from "../../world/index.ts";
import { CliError } from "../exit.ts";
import { type Register, withExamples } from "../shell.ts";

export const register: Register = (command, { output }) => {
  command.argument("<dir>", "folder to create; an existing folder must be empty");
  withExamples(command, ["sim init my-economy && cd my-economy && sim run --duration 60"]);
  command.action((dir: string) => {
    refuseUnlessEmpty(dir);
    makeFolders(dir);
    writeFileSync(join(dir, "config.yaml"), readFileSync(SHIPPED_CONFIG));
    writeFileSync(join(dir, "README.md"), README);
    // Copies the schemas, because the created files refer to the schemas by relative path.
    cpSync(SHIPPED.schemas, join(dir, "docs", "schema"), { recursive: true });
    const counts = [...SHIPPED_POPULATIONS].map(
      ([name, shipped]) => `${copyPersonas(shipped, join(dir, name))} personas in ${name}`,
    );
    output.line(`created ${dir} with config.yaml, ${counts.join(" and ")}`);
    output.note(`next: cd ${dir} && sim run --duration 60 --clock virtual`);
    output.note("      sim run --duration 60 --clock virtual --agents agents-llm --model mock");
  });
};

const refuseUnlessEmpty = (dir: string): void => {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isEmpty = found.isDirectory() && readdirSync(dir).length === 0;
  const fault = found.isDirectory() ? "is not empty" : "is a file";
  if (!isEmpty) throw new CliError(`${dir} ${fault}; choose a folder that does not exist`);
};

/** Copies the folders with an agent.yaml, but not the library. Returns the number of copies. */
const copyPersonas = (from: string, to: string): number => {
  const names = readdirSync(from).filter((name) => existsSync(join(from, name, "agent.yaml")));
  for (const name of names) cpSync(join(from, name), join(to, name), { recursive: true });
  return names.length;
};

const README = `# An economy

- \`config.yaml\`: all settings. You may delete what you do not change; \`sim config\` prints the
  values in use.
- \`agents/<name>/agent.yaml\`: the agents. \`sim agents new NAME\` creates one,
  \`sim agents validate\` checks all.
- \`agents-llm/\`: agents that call language models. They need an API key or a local model server;
  \`sim run --agents agents-llm --estimate\` prints the estimated cost. With \`--model mock\`, they
  use a built-in mock model, which needs neither.
- \`docs/schema/\`: JSON Schemas, with which editors check the files above.

    sim run --duration 600 --clock virtual
    sim runs
`;
