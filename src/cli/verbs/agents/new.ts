import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Option } from "commander";
import { isReserved } from "../../../kernel/index.ts";
import {
  AGENTS,
  agentsFolders,
  clashWith,
  idProblem,
  personaFiles,
  SHIPPED,
  SHIPPED_POPULATIONS,
  surveyPersonas,
  TEMPLATE_MINDS,
} from "../../../run/index.ts";
import { makeFolders } from "../../../world/index.ts";
import { CliError } from "../../core/exit.ts";
import { type Register, withExamples } from "../../core/shell.ts";
import { type AgentsFlags, openedBy } from "./personas.ts";

type NewFlags = AgentsFlags & { readonly mind: string };

export const registerNew: Register = (command, { output }) => {
  const [first = ""] = TEMPLATE_MINDS;
  const mind = new Option("--mind <mind>", "how the agent decides").default(first);
  command.argument("<name>", "id of the new persona and name of its folder");
  command
    .addOption(mind.choices(TEMPLATE_MINDS))
    .option("--json", "print one JSON document: { id, mind, file }");
  withExamples(command, ["sim agents new dora", "sim agents new lou --mind llm"]);
  command.action(async (name: string, flags: NewFlags) => {
    const population = folderFor(flags);
    const agents = ownFolder(population);
    refuseName(name, agents);
    const { mind } = flags;
    const folder = join(agents, name);
    const files = await personaFiles({ id: name, mind, schema: schemaSeenFrom(folder) });
    makeFolders(folder);
    for (const [file, text] of Object.entries(files)) {
      // The flag "wx" causes an error if another process has just created the file.
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
    if (agents !== population) output.note(`note: ${insteadOf(agents, population)}`);
    if (flags.json) output.json({ id: name, mind, file: join(folder, "agent.yaml") });
    else for (const file of Object.keys(files)) output.line(`created ${join(folder, file)}`);
  });
};

/** @throws CliError if `--agents` or the configuration names several folders. */
const folderFor = (flags: AgentsFlags): string => {
  const [folder = AGENTS, ...others] = agentsFolders(openedBy(flags));
  if (others.length === 0) return folder;
  throw new CliError("a new persona goes to one folder; name it with --agents DIR");
};

const personasIn = (folder: string): ReturnType<typeof surveyPersonas>["personas"] =>
  surveyPersonas({ dirs: [folder], seed: 1 }).personas;

/** Replaces a shipped folder by the folder of the same name in the current folder. */
const ownFolder = (agents: string): string =>
  [...SHIPPED_POPULATIONS].find(([_, shipped]) => shipped === agents)?.[0] ?? agents;

/** Explains that runs now use the new folder and none of the shipped personas. */
const insteadOf = (agents: string, shipped: string): string => {
  const { length } = personasIn(shipped);
  const fix = "`sim init DIR` makes a folder with copies of those";
  return `runs in this folder now use ${agents}, not the ${length} shipped personas; ${fix}`;
};

const SCHEMA = "agent.schema.json";

/** The path of the project's schema, or else of the package's schema, relative to `folder`. */
const schemaSeenFrom = (folder: string): string => {
  const near = join(dirname(folder), "..", "docs", "schema", SCHEMA);
  const schema = existsSync(near) ? near : join(SHIPPED.schemas, SCHEMA);
  return relative(folder, schema).replaceAll(sep, "/");
};

/** @throws CliError if the name is reserved, invalid or already used. */
const refuseName = (name: string, agents: string): void => {
  if (isReserved(name) || name === "library") {
    throw new CliError(`the name "${name}" is reserved; choose another`);
  }
  const problem = idProblem(name);
  if (problem !== null) throw new CliError(`"${name}" ${problem}`);
  if (existsSync(join(agents, "agent.yaml"))) {
    throw new CliError(`${agents} is one persona; name its parent folder, ${join(agents, "..")}`);
  }
  if (existsSync(join(agents, name))) {
    throw new CliError(`${join(agents, name)} already exists; choose another name`);
  }
  const personas = personasIn(agents);
  const taken = personas.find(({ id }) => id === name);
  if (taken !== undefined) {
    throw new CliError(`the id "${name}" is already used by ${taken.place.file}; choose another`);
  }
  const place = { file: join(agents, name, "agent.yaml"), line: null, column: null };
  const clash = clashWith({ id: name, place }, personas);
  if (clash !== null) throw new CliError(`${clash}; choose another name`);
};
