import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SHIPPED_CONFIG } from "../../runner/index.ts";
import { type Register, withExamples } from "../shell.ts";
import { SHIPPED, SHIPPED_POPULATIONS } from "../shipped.ts";
import { UsageProblem } from "../usage-problem.ts";

/** What a persona is made of. */
const FILES = ["agent.yaml", "system_prompt.md"];

export const register: Register = (command, { output }) => {
  command.argument("<dir>", "a folder that is empty or not there yet");
  withExamples(command, ["sim init my-economy && cd my-economy && sim run --duration 60"]);
  command.action((dir: string) => {
    refuseUnlessEmpty(dir);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "config.yaml"), readFileSync(SHIPPED_CONFIG));
    writeFileSync(join(dir, "README.md"), README);
    // The files name their schemas by the way from where they lie.
    cpSync(SHIPPED.schemas, join(dir, "docs", "schema"), { recursive: true });
    const counts = [...SHIPPED_POPULATIONS].map(
      ([name, shipped]) => `${copyPersonas(shipped, join(dir, name))} personas in ${name}`,
    );
    output.line(`made ${dir} with config.yaml, ${counts.join(" and ")}`);
    output.note(`next: cd ${dir} && sim run --duration 60 --clock virtual`);
  });
};

const refuseUnlessEmpty = (dir: string): void => {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isEmpty = found.isDirectory() && readdirSync(dir).length === 0;
  const fault = found.isDirectory() ? "is not empty" : "is a file";
  if (!isEmpty) throw new UsageProblem(`${dir} ${fault}; name a folder that is not there yet`);
};

/** Returns how many there were. Folders beside them, such as the library, have no agent.yaml. */
const copyPersonas = (from: string, to: string): number => {
  const names = readdirSync(from).filter((name) => existsSync(join(from, name, "agent.yaml")));
  for (const name of names) {
    mkdirSync(join(to, name), { recursive: true });
    for (const file of FILES.filter((each) => existsSync(join(from, name, each)))) {
      copyFileSync(join(from, name, file), join(to, name, file));
    }
  }
  return names.length;
};

const README = `# An economy

- \`config.yaml\`: what is scarce and how scarce. Leave out what you do not change;
  \`sim config\` shows what is in force.
- \`agents/<name>/agent.yaml\`: who takes part. \`sim agents new NAME\` makes one,
  \`sim agents validate\` checks them all.
- \`agents-llm/\`: another population, whose agents ask language models. It needs a key, or a model
  server of your own; \`sim run --agents agents-llm --estimate\` says what it may cost.
- \`docs/schema/\`: what editors check the files above with.

    sim run --duration 600 --clock virtual
    sim runs
`;
