import { showProblem } from "../../../runner/index.ts";
import { printable } from "../../printable.ts";
import { type Register, withExamples } from "../../shell.ts";
import { UsageProblem } from "../../usage-problem.ts";
import { type AgentsFlags, surveyOf } from "./population.ts";

export const registerList: Register = (command, { output }) => {
  const shape = "a list of { id, enabled, mind, starting_scrip, description, folder }";
  command.option("--json", `print ${shape}`);
  withExamples(command, ["sim agents list --agents my-economy/agents"]);
  command.action((flags: AgentsFlags) => {
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
