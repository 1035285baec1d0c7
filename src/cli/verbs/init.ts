import {
  copyFileSync,
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
import { SHIPPED } from "../shipped.ts";
import { UsageProblem } from "../usage-problem.ts";

export const register: Register = (command, { output }) => {
  command.argument("<dir>", "a folder that is empty or not there yet");
  withExamples(command, ["sim init my-economy && cd my-economy && sim run --duration 60"]);
  command.action((dir: string) => {
    refuseUnlessEmpty(dir);
    const agents = join(dir, "agents");
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(dir, "config.yaml"), readFileSync(SHIPPED_CONFIG));
    const names = shippedPersonas();
    for (const name of names) {
      mkdirSync(join(agents, name));
      copyFileSync(join(SHIPPED.agents, name, "agent.yaml"), join(agents, name, "agent.yaml"));
    }
    writeFileSync(join(dir, "README.md"), README);
    output.line(`made ${dir} with config.yaml and ${names.length} personas`);
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

/** The folders beside the personas, such as the library, have no agent.yaml. */
const shippedPersonas = (): readonly string[] =>
  readdirSync(SHIPPED.agents)
    .filter((name) => existsSync(join(SHIPPED.agents, name, "agent.yaml")))
    .toSorted();

const README = `# An economy

- \`config.yaml\`: what is scarce and how scarce. Leave out what you do not change;
  \`sim config\` shows what is in force.
- \`agents/<name>/agent.yaml\`: who takes part. \`sim agents new NAME\` makes one,
  \`sim agents validate\` checks them all.

    sim run --duration 600 --clock virtual
    sim runs
`;
