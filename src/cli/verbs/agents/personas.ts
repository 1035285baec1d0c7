import { statSync } from "node:fs";
import {
  libraryProblems,
  moduleTrials,
  type OpenConfig,
  type Persona,
  type Problem,
  personaSource,
  programsFolder,
  pythonProblems,
  showProblem,
  surveyPersonas,
} from "../../../run/index.ts";
import { counted } from "../../../text/index.ts";
import { CliError, EXIT } from "../../core/exit.ts";
import { openConfig } from "../../core/flags.ts";
import type { Output } from "../../core/output.ts";
import { type Register, withExamples } from "../../core/shell.ts";
import type { Painted } from "../../core/table.ts";

export const registerList: Register = (command, { output }) => {
  const shape = "{ id, enabled, mind, group, starting_scrip, description, folder }";
  command.option("--json", `print a JSON list of ${shape}`);
  withExamples(command, ["sim agents list --agents my-economy/agents"]);
  command.action((flags: AgentsFlags) => {
    const { personas, problems } = surveyOf(flags);
    if (problems.length > 0) throw new CliError(problems.map(showProblem));
    if (flags.json) {
      output.json(
        personas.map(({ id, enabled, mind, terms, startingScrip, description, folder }) => {
          const scrip = { starting_scrip: startingScrip };
          return { id, enabled, mind, group: terms.group, ...scrip, description, folder };
        }),
      );
      return;
    }
    const rows = personas.map(({ id, enabled, mind, startingScrip: scrip, description }) => {
      const how = enabled ? mind : `${mind} (off)`;
      return [id, how, scrip ?? "default", description ?? ""];
    });
    output.table(["id", "mind", "scrip", "description"], rows);
  });
};

export const registerValidate: Register = (command, { output, endWith, env }) => {
  const each = "[{ file, line, column, message, hint }]";
  const shape = `{ ok, agents, problems: ${each}, warnings: ${each} }`;
  command.option("--json", `print one JSON document: ${shape}`);
  withExamples(command, ["sim agents validate", "sim agents validate --json"]);
  command.action(async (flags: AgentsFlags) => {
    const { personas, problems: found } = surveyOf(flags);
    const opened = openedBy(flags);
    const { config } = opened;
    const tried = await moduleTrials(config, found.length > 0 ? [] : personas);
    const library = await libraryProblems(config, programsFolder(opened));
    const python = pythonProblems(config, personas, env);
    const problems = [...found, ...tried.problems, ...library, ...python];
    const ok = problems.length === 0;
    const noted = personas.flatMap((persona) => persona.warnings);
    const warnings = [...noted, ...tried.warnings];
    for (const warning of warnings) output.note(`note: ${showProblem(warning)}`);
    if (flags.json) output.json({ ok, agents: personas.length, problems, warnings });
    else if (ok) output.line(`no problems in ${names(personas)}`);
    else for (const problem of problems) output.line(...painted(problem, output.paint));
    if (!ok) endWith(EXIT.failed);
  });
};

/** The names of the personas, with the number of agents of each population. */
const names = (personas: readonly Persona[]): string =>
  [...Map.groupBy(personas, ({ population }) => population)]
    .map(([id, agents]) =>
      agents[0]?.id === id ? id : `${id} (${counted(agents.length, "agent")})`,
    )
    .join(", ");

const painted = (problem: Problem, paint: Output["paint"]): readonly [Painted, string] => {
  const whole = showProblem(problem);
  const rest = whole.indexOf(`: ${problem.message}`);
  return [paint("bold", whole.slice(0, rest)), whole.slice(rest)];
};

export type AgentsFlags = { readonly agents?: readonly string[]; readonly json?: true };

export const openedBy = ({ agents }: AgentsFlags): OpenConfig =>
  openConfig({ set: [] }, [{ key: "agents.dir", value: agents, origin: "--agents" }]);

/** @throws CliError if no folder exists, or the folders hold no personas. */
const surveyOf = (flags: AgentsFlags): ReturnType<typeof surveyPersonas> => {
  const source = personaSource(openedBy(flags));
  const survey = surveyPersonas(source);
  const isFolder = (dir: string): boolean =>
    statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!source.dirs.every(isFolder)) throw new CliError(survey.problems.map(showProblem));
  if (survey.personas.length === 0 && survey.problems.length === 0) {
    const dirs = source.dirs.join(", ");
    throw new CliError(`${dirs} contains no personas; a persona is a folder with an agent.yaml`);
  }
  return survey;
};
