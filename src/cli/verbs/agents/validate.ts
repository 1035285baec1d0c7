import { type Persona, type Problem, showProblem } from "../../../runner/index.ts";
import { EXIT } from "../../exit-code.ts";
import { type Register, type Shell, withExamples } from "../../shell.ts";
import { type AgentsFlags, surveyOf } from "./population.ts";

export const registerValidate: Register = (command, { output, endWith }) => {
  const shape = "{ ok, agents, problems: [{ file, line, column, message, hint }] }";
  command.option("--json", `print ${shape}`);
  withExamples(command, ["sim agents validate", "sim agents validate --json"]);
  command.action((flags: AgentsFlags) => {
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

const names = (personas: readonly Persona[]): string => personas.map(({ id }) => id).join(", ");

const painted = (problem: Problem, paint: Shell["output"]["paint"]): string => {
  const whole = showProblem(problem);
  const rest = whole.indexOf(`: ${problem.message}`);
  return `${paint("bold", whole.slice(0, rest))}${whole.slice(rest)}`;
};
