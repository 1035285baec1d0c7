import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Option } from "commander";
import { isReserved } from "../../../kernel/index.ts";
import {
  clashWith,
  idProblem,
  personaFiles,
  surveyPersonas,
  TEMPLATE_MINDS,
} from "../../../runner/index.ts";
import { type Register, withExamples } from "../../shell.ts";
import { SHIPPED, SHIPPED_POPULATIONS } from "../../shipped.ts";
import { UsageProblem } from "../../usage-problem.ts";
import { type AgentsFlags, folderOf } from "./population.ts";

type NewFlags = AgentsFlags & { readonly mind: string };

export const registerNew: Register = (command, { output }) => {
  const [first = ""] = TEMPLATE_MINDS;
  const mind = new Option("--mind <mind>", "how it decides").default(first);
  command.argument("<name>", "its id and the name of its folder");
  command.addOption(mind.choices(TEMPLATE_MINDS)).option("--json", "print { id, mind, file }");
  withExamples(command, ["sim agents new dora", "sim agents new lou --mind llm"]);
  command.action((name: string, flags: NewFlags) => {
    const population = folderOf(flags);
    const agents = ownFolder(population);
    refuseName(name, agents);
    const { mind } = flags;
    const folder = join(agents, name);
    const files = personaFiles({ id: name, mind, schema: schemaSeenFrom(folder) });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      // "wx": a file that somebody made a moment ago is not overwritten either.
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
    if (agents !== population) output.note(`note: ${insteadOf(agents, population)}`);
    if (flags.json) output.json({ id: name, mind, file: join(folder, "agent.yaml") });
    else for (const file of Object.keys(files)) output.line(`made ${join(folder, file)}`);
  });
};

/** Nobody makes personas of his own inside the package by not saying where. */
const ownFolder = (agents: string): string =>
  [...SHIPPED_POPULATIONS].find(([_, shipped]) => shipped === agents)?.[0] ?? agents;

/** A folder of one's own takes the place of the shipped one, as a whole. */
const insteadOf = (agents: string, shipped: string): string => {
  const { length } = surveyPersonas(shipped).personas;
  const cure = "`sim init DIR` makes a folder with a copy of them";
  return `runs from here now have who is in ${agents}, and not the ${length} shipped; ${cure}`;
};

const SCHEMA = "agent.schema.json";

/** The way from a persona to the schema of the folder that it is in, or to the shipped one. */
const schemaSeenFrom = (folder: string): string => {
  const near = join(dirname(folder), "..", "docs", "schema", SCHEMA);
  const schema = existsSync(near) ? near : join(SHIPPED.schemas, SCHEMA);
  return relative(folder, schema).replaceAll(sep, "/");
};

/** What would be refused when the personas are loaded is not made. */
const refuseName = (name: string, agents: string): void => {
  if (isReserved(name) || name === "library") {
    throw new UsageProblem(`the name "${name}" is kept for the system; choose another`);
  }
  const problem = idProblem(name);
  if (problem !== null) throw new UsageProblem(`"${name}" ${problem}`);
  if (existsSync(join(agents, name))) {
    throw new UsageProblem(`${join(agents, name)} is there already; choose another name`);
  }
  const { personas } = surveyPersonas(agents);
  const taken = personas.find(({ id }) => id === name);
  if (taken !== undefined) {
    throw new UsageProblem(`the id "${name}" is taken by ${taken.place.file}; choose another`);
  }
  const place = { file: join(agents, name, "agent.yaml"), line: null, column: null };
  const clash = clashWith({ id: name, place }, personas);
  if (clash !== null) throw new UsageProblem(`${clash}; choose another name`);
};
