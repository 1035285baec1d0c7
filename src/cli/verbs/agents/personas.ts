import { statSync } from "node:fs";
import { type Persona, type Problem, showProblem, surveyPersonas } from "../../../runner/index.ts";
import { CliError, EXIT } from "../../exit.ts";
import { agentsFolder, openConfig } from "../../flags.ts";
import { printable } from "../../output/output.ts";
import { type Register, type Shell, withExamples } from "../../shell.ts";

export const registerList: Register = (command, { output }) => {
  const shape = "{ id, enabled, mind, starting_scrip, description, folder }";
  command.option("--json", `print a JSON list of ${shape}`);
  withExamples(command, ["sim agents list --agents my-economy/agents"]);
  command.action((flags: AgentsFlags) => {
    const { personas, problems } = surveyOf(flags);
    if (problems.length > 0) throw new CliError(problems.map(showProblem));
    if (flags.json) {
      output.json(
        personas.map(({ id, enabled, mind, startingScrip, description, folder }) => {
          return { id, enabled, mind, starting_scrip: startingScrip, description, folder };
        }),
      );
      return;
    }
    const rows = personas.map(({ id, enabled, mind, startingScrip: scrip, description }) => {
      const how = enabled ? mind : `${mind} (off)`;
      return [id, how, scrip ?? "default", printable(description ?? "")];
    });
    output.table(["ID", "MIND", "SCRIP", "DESCRIPTION"], rows);
  });
};

export const registerValidate: Register = (command, { output, endWith }) => {
  const each = "[{ file, line, column, message, hint }]";
  const shape = `{ ok, agents, problems: ${each}, warnings: ${each} }`;
  command.option("--json", `print one JSON document: ${shape}`);
  withExamples(command, ["sim agents validate", "sim agents validate --json"]);
  command.action((flags: AgentsFlags) => {
    const { personas, problems } = surveyOf(flags);
    const ok = problems.length === 0;
    const warnings = personas.flatMap((persona) => persona.warnings);
    for (const warning of warnings) output.note(`note: ${showProblem(warning)}`);
    if (flags.json) output.json({ ok, agents: personas.length, problems, warnings });
    else if (ok) output.line(`no problems in ${names(personas)}`);
    else for (const problem of problems) output.line(painted(problem, output.paint));
    if (!ok) endWith(EXIT.doesNotHold);
  });
};

const names = (personas: readonly Persona[]): string => personas.map(({ id }) => id).join(", ");

const painted = (problem: Problem, paint: Shell["output"]["paint"]): string => {
  const whole = showProblem(problem);
  const rest = whole.indexOf(`: ${problem.message}`);
  return `${paint("bold", whole.slice(0, rest))}${whole.slice(rest)}`;
};

export type AgentsFlags = { readonly agents?: string; readonly json?: true };

export const folderOf = ({ agents }: AgentsFlags): string =>
  agentsFolder(openConfig({ set: [] }, [{ key: "agents.dir", value: agents, origin: "--agents" }]));

/** @throws CliError if the folder does not exist or holds no personas. */
const surveyOf = (flags: AgentsFlags): ReturnType<typeof surveyPersonas> => {
  const folder = folderOf(flags);
  const survey = surveyPersonas(folder);
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new CliError(survey.problems.map(showProblem));
  if (survey.personas.length === 0 && survey.problems.length === 0) {
    throw new CliError(`${folder} contains no personas; a persona is a folder with an agent.yaml`);
  }
  return survey;
};
