import { didYouMean } from "../../../mind/index.ts";
import {
  type FirstLook,
  firstLooks,
  type Persona,
  showProblem,
  surveyPersonas,
} from "../../../runner/index.ts";
import { addConfigFlags, agentsFolder, type ConfigFlags, openConfig } from "../../open-config.ts";
import { printable } from "../../printable.ts";
import { type Register, withExamples } from "../../shell.ts";
import { UsageProblem } from "../../usage-problem.ts";
import type { AgentsFlags } from "./population.ts";

export const registerPreview: Register = (command, { output }) => {
  const shape = "{ id, mind, sections: [{ name, tokens, text }], prompt, tokens }";
  command.argument("<name>", "the id of a persona").option("--json", `print ${shape}`);
  addConfigFlags(command);
  withExamples(command, ["sim agents preview alpha --agents agents-llm"]);
  command.action(async (name: string, flags: AgentsFlags & ConfigFlags) => {
    const opened = openConfig(flags, [
      { key: "agents.dir", value: flags.agents, origin: "--agents" },
    ]);
    const { personas, problems } = surveyPersonas(agentsFolder(opened));
    if (problems.length > 0) throw new UsageProblem(problems.map(showProblem));
    const persona = named(name, personas);
    const looks = await firstLooks(opened.config, personas);
    const look = looks.find((each) => each.persona === persona) ?? null;
    const sections = sectionsOf(look);
    const { id, mind } = persona;
    if (flags.json) {
      const prompt = look === null ? "" : `${look.prompt.system}\n\n${look.prompt.prompt}`;
      output.json({ id, mind, sections, prompt, tokens: look?.prompt.tokens ?? 0 });
    } else if (look === null) output.line(`${id} decides by ${mind} and reads no prompt`);
    else {
      for (const { name: section, tokens, text } of sections) {
        output.line(output.paint("bold", `--- ${section}, ${tokens} tokens`));
        output.line(printable(text));
      }
      output.line(`about ${look.prompt.tokens} tokens in all`);
      if (look.steps.length > 0) output.line(STEPS);
    }
  });
};

const STEPS =
  "and the step that is asked: all of this where it decides, else the system part and its own " +
  "words. What llm steps will answer is not there yet and stands as none";

const named = (name: string, personas: readonly Persona[]): Persona => {
  const persona = personas.find(({ id }) => id === name);
  if (persona !== undefined) return persona;
  const ids = personas.map(({ id }) => id);
  const hint = didYouMean(name, ids) ?? `there are ${ids.join(", ") || "none"}`;
  throw new UsageProblem(`there is no persona "${name}"; ${hint}`);
};

type Section = { readonly name: string; readonly tokens: number; readonly text: string };

/** The parts of what it is told at every decision, then what each step of its workflow asks. */
const sectionsOf = (look: FirstLook | null): readonly Section[] => {
  if (look === null) return [];
  const parts = look.prompt.parts.map(({ name, tokens, text }) => ({ name, tokens, text }));
  const steps = look.steps.map(({ step, tokens, text }) => ({
    name: `step:${step}`,
    tokens,
    text,
  }));
  return [...parts, ...steps];
};
