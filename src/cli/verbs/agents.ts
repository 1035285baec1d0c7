import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type Command, Option } from "commander";
import { ID_RULE, isReserved, parseId } from "../../kernel/index.ts";
import { didYouMean } from "../../mind/index.ts";
import {
  firstLooks,
  type Persona,
  type Problem,
  personaFiles,
  showProblem,
  surveyPersonas,
  TEMPLATE_MINDS,
} from "../../runner/index.ts";
import { EXIT } from "../exit-code.ts";
import { addConfigFlags, agentsFolder, type ConfigFlags, openConfig } from "../open-config.ts";
import { printable } from "../printable.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { SHIPPED, SHIPPED_POPULATIONS } from "../shipped.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly agents?: string; readonly json?: true };

export const register: Register = (command, shell) => {
  withExamples(command, ["sim agents list", "sim agents new dora && sim agents validate"]);
  const sub = (name: string, summary: string): Command =>
    command
      .command(name)
      .summary(summary)
      .description(summary)
      .option("--agents <dir>", "the folder of the personas (default: agents/, else the shipped)");
  registerList(sub("list", "who can take part in a run"), shell);
  registerValidate(sub("validate", "check every agent.yaml"), shell);
  registerPreview(sub("preview", "the prompt with which an agent on a model would begin"), shell);
  registerNew(sub("new", "write a commented agent.yaml for a new persona"), shell);
};

const folderOf = ({ agents }: Flags): string =>
  agentsFolder(openConfig({ set: [] }, [{ key: "agents.dir", value: agents, origin: "--agents" }]));

/** What is not a folder is not a population with problems, but a wrong path. */
const surveyOf = (flags: Flags): ReturnType<typeof surveyPersonas> => {
  const folder = folderOf(flags);
  const survey = surveyPersonas(folder);
  if (!isFolder(folder)) throw new UsageProblem(survey.problems.map(showProblem));
  return survey;
};

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const registerList = (command: Command, { output }: Shell): void => {
  const shape = "a list of { id, enabled, mind, starting_scrip, description, folder }";
  command.option("--json", `print ${shape}`);
  withExamples(command, ["sim agents list --agents my-economy/agents"]);
  command.action((flags: Flags) => {
    const { personas, problems } = surveyOf(flags);
    if (problems.length > 0) throw new UsageProblem(problems.map(showProblem));
    if (flags.json) {
      output.json(
        personas.map(({ id, enabled, mind, startingScrip, description, folder }) => {
          return { id, enabled, mind, starting_scrip: startingScrip, description, folder };
        }),
      );
      return;
    }
    const rows = personas.map(({ id, enabled, mind, startingScrip, description }) => {
      const scrip = startingScrip === null ? "default" : String(startingScrip);
      return [id, enabled ? mind : `${mind} (off)`, scrip, printable(description ?? "")];
    });
    output.table(["ID", "MIND", "SCRIP", "DESCRIPTION"], rows);
  });
};

const registerValidate = (command: Command, { output, endWith }: Shell): void => {
  const shape = "{ ok, agents, problems: [{ file, line, column, message, hint }] }";
  command.option("--json", `print ${shape}`);
  withExamples(command, ["sim agents validate", "sim agents validate --json"]);
  command.action((flags: Flags) => {
    const { personas, problems } = surveyOf(flags);
    const ok = problems.length === 0;
    for (const warning of personas.flatMap(({ warnings }) => warnings)) {
      output.note(`note: ${showProblem(warning)}`);
    }
    if (flags.json) output.json({ ok, agents: personas.length, problems });
    else if (ok) output.line(`nothing wrong with ${names(personas)}`);
    else for (const problem of problems) output.line(painted(problem, output.paint));
    if (!ok) endWith(EXIT.doesNotHold);
  });
};

const names = (personas: readonly Persona[]): string =>
  personas.map(({ id }) => id).join(", ") || "no personas at all";

const painted = (problem: Problem, paint: Shell["output"]["paint"]): string => {
  const whole = showProblem(problem);
  const rest = whole.indexOf(`: ${problem.message}`);
  return `${paint("bold", whole.slice(0, rest))}${whole.slice(rest)}`;
};

const registerPreview = (command: Command, { output }: Shell): void => {
  const shape = "{ id, mind, sections: [{ name, tokens, text }], prompt, tokens }";
  command.argument("<name>", "the id of a persona").option("--json", `print ${shape}`);
  addConfigFlags(command);
  withExamples(command, ["sim agents preview alpha --agents agents-llm"]);
  command.action(async (name: string, flags: Flags & ConfigFlags) => {
    const opened = openConfig(flags, [
      { key: "agents.dir", value: flags.agents, origin: "--agents" },
    ]);
    const { personas, problems } = surveyPersonas(agentsFolder(opened));
    if (problems.length > 0) throw new UsageProblem(problems.map(showProblem));
    const persona = personas.find(({ id }) => id === name);
    if (persona === undefined) {
      const ids = personas.map(({ id }) => id);
      const hint = didYouMean(name, ids) ?? `there are ${ids.join(", ") || "none"}`;
      throw new UsageProblem(`there is no persona "${name}"; ${hint}`);
    }
    const looks = await firstLooks(opened.config, personas);
    const prompt = looks.find((look) => look.persona === persona)?.prompt ?? null;
    const parts = prompt?.parts ?? [];
    const whole = prompt === null ? "" : `${prompt.system}\n\n${prompt.prompt}`;
    const sections = parts.map(({ name: section, tokens, text }) => {
      return { name: section, tokens, text };
    });
    const { id, mind } = persona;
    if (flags.json) {
      output.json({ id, mind, sections, prompt: whole, tokens: prompt?.tokens ?? 0 });
    } else if (prompt === null) output.line(`${id} decides by ${mind} and reads no prompt`);
    else {
      for (const { name: section, tokens, text } of sections) {
        output.line(output.paint("bold", `--- ${section}, ${tokens} tokens`));
        output.line(printable(text));
      }
      output.line(`about ${prompt.tokens} tokens in all`);
    }
  });
};

type NewFlags = Flags & { readonly mind: string };

const registerNew = (command: Command, { output }: Shell): void => {
  const [first = ""] = TEMPLATE_MINDS;
  const mind = new Option("--mind <mind>", "how it decides").default(first);
  command.argument("<name>", "its id and the name of its folder");
  command.addOption(mind.choices(TEMPLATE_MINDS)).option("--json", "print { id, mind, file }");
  withExamples(command, ["sim agents new dora", "sim agents new lou --mind llm"]);
  command.action((name: string, flags: NewFlags) => {
    const agents = ownFolder(folderOf(flags));
    refuseName(name, agents);
    const { mind } = flags;
    const folder = join(agents, name);
    const files = personaFiles({ id: name, mind, schema: schemaSeenFrom(folder) });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      // "wx": a file that somebody made a moment ago is not overwritten either.
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
    if (flags.json) output.json({ id: name, mind, file: join(folder, "agent.yaml") });
    else for (const file of Object.keys(files)) output.line(`made ${join(folder, file)}`);
  });
};

/** Nobody makes personas of his own inside the package by not saying where. */
const ownFolder = (agents: string): string =>
  [...SHIPPED_POPULATIONS].find(([_, shipped]) => shipped === agents)?.[0] ?? agents;

const SCHEMA = "agent.schema.json";

/** The way from a persona to the schema of the folder that it is in, or to the shipped one. */
const schemaSeenFrom = (folder: string): string => {
  const near = join(dirname(folder), "..", "docs", "schema", SCHEMA);
  const schema = existsSync(near) ? near : join(SHIPPED.schemas, SCHEMA);
  return relative(folder, schema).replaceAll(sep, "/");
};

const refuseName = (name: string, agents: string): void => {
  if (parseId(name) === null) throw new UsageProblem(`"${name}" is not an id: ${ID_RULE}`);
  if (isReserved(name) || name === "library") {
    throw new UsageProblem(`the name "${name}" is kept for the system; choose another`);
  }
  if (existsSync(join(agents, name))) {
    throw new UsageProblem(`${join(agents, name)} is there already; choose another name`);
  }
  const taken = surveyPersonas(agents).personas.find(({ id }) => id === name);
  if (taken !== undefined) {
    throw new UsageProblem(`the id "${name}" is taken by ${taken.place.file}; choose another`);
  }
};
