import { didYouMean } from "../../../mind/index.ts";
import {
  type FirstPrompt,
  firstPrompts,
  type Persona,
  showProblem,
  surveyPersonas,
} from "../../../runner/index.ts";
import { CliError } from "../../exit.ts";
import { addConfigFlags, agentsFolder, type ConfigFlags, openConfig } from "../../flags.ts";
import { printable } from "../../output/output.ts";
import { type Register, withExamples } from "../../shell.ts";
import type { AgentsFlags } from "./personas.ts";

export const registerPreview: Register = (command, { output }) => {
  const shape = "{ id, mind, sections: [{ name, tokens, text }], prompt, tokens }";
  command
    .argument("<name>", "id of a persona")
    .option("--json", `print one JSON document: ${shape}`);
  addConfigFlags(command);
  withExamples(command, ["sim agents preview alpha --agents agents-llm"]);
  command.action(async (name: string, flags: AgentsFlags & ConfigFlags) => {
    const opened = openConfig(flags, [
      { key: "agents.dir", value: flags.agents, origin: "--agents" },
    ]);
    const { personas, problems } = surveyPersonas(agentsFolder(opened));
    if (problems.length > 0) throw new CliError(problems.map(showProblem));
    const persona = named(name, personas);
    const looks = await firstPrompts(opened.config, personas);
    const look = looks.find((each) => each.persona === persona) ?? null;
    const sections = sectionsOf(look);
    const { id, mind } = persona;
    if (flags.json) {
      const prompt = look === null ? "" : `${look.prompt.system}\n\n${look.prompt.prompt}`;
      output.json({ id, mind, sections, prompt, tokens: look?.prompt.tokens ?? 0 });
    } else if (look === null) output.line(`${id} has no prompt: its mind is ${mind}`);
    else {
      for (const { name: section, tokens, text } of sections) {
        output.line(output.paint("bold", `--- ${section}, ${tokens} tokens`));
        output.line(printable(text));
      }
      output.line(`about ${look.prompt.tokens} tokens in total`);
      if (look.steps.length > 0) output.line(STEPS);
    }
  });
};

const STEPS =
  "A step that decides on the action gets the whole prompt and its own text; any other step gets " +
  "the system section and its own text. The replies of earlier steps are not known yet: none.";

const named = (name: string, personas: readonly Persona[]): Persona => {
  const persona = personas.find(({ id }) => id === name);
  if (persona !== undefined) return persona;
  const ids = personas.map(({ id }) => id);
  const hint = didYouMean(name, ids) ?? `there are ${ids.join(", ") || "none"}`;
  throw new CliError(`there is no persona "${name}"; ${hint}`);
};

type Section = { readonly name: string; readonly tokens: number; readonly text: string };

const sectionsOf = (look: FirstPrompt | null): readonly Section[] => {
  if (look === null) return [];
  const parts = look.prompt.parts.map(({ name, tokens, text }) => ({ name, tokens, text }));
  const steps = look.steps.map(({ step, tokens, text }) => ({
    name: `step:${step}`,
    tokens,
    text,
  }));
  return [...parts, ...steps];
};
