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
  const shape = "{ id, mind, settings, sections: [{ name, tokens, text }], prompt, tokens }";
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
    const prompts = await firstPrompts(opened.config, personas);
    const first = prompts.find((each) => each.persona === persona) ?? null;
    const sections = sectionsOf(first);
    const { id, mind } = persona;
    if (flags.json) {
      const prompt = first === null ? "" : `${first.prompt.system}\n\n${first.prompt.prompt}`;
      const settings = first && settingsOf(first);
      output.json({ id, mind, settings, sections, prompt, tokens: first?.prompt.tokens ?? 0 });
    } else if (first === null) output.line(`${id} has no prompt: its mind is ${mind}`);
    else {
      for (const { name: section, tokens, text } of sections) {
        output.line(output.paint("bold", `--- ${section}, ${tokens} tokens`));
        output.line(printable(text));
      }
      output.line(`about ${first.prompt.tokens} tokens in total`);
      const settings = Object.entries(settingsOf(first));
      const shown = settings.map(([key, value]) => `${key} ${value ?? "not set"}`);
      output.line(shown.join(", "));
      if (first.steps.length > 0) output.line(STEPS);
    }
  });
};

const STEPS =
  "A step that decides on the action gets the whole prompt and then its own text. Any other step " +
  "gets the system section and then its own text. Earlier steps have not run, so their replies " +
  "are missing.";

/** The settings of model calls: those of the persona, or else the defaults. */
const settingsOf = ({ settings }: FirstPrompt) => ({
  model: settings.model,
  cognitive_schema: settings.cognitiveSchema,
  temperature: settings.temperature,
  reasoning: settings.reasoning,
  max_tokens: settings.maxTokens,
});

const named = (name: string, personas: readonly Persona[]): Persona => {
  const persona = personas.find(({ id }) => id === name);
  if (persona !== undefined) return persona;
  const ids = personas.map(({ id }) => id);
  const hint = didYouMean(name, ids) ?? `there are ${ids.join(", ") || "none"}`;
  throw new CliError(`there is no persona "${name}"; ${hint}`);
};

const sectionsOf = (first: FirstPrompt | null) => {
  if (first === null) return [];
  const steps = first.steps.map(({ step, tokens, text }) => ({
    name: `step:${step}`,
    tokens,
    text,
  }));
  return [...first.prompt.parts, ...steps].map(({ name, tokens, text }) => ({
    name,
    tokens,
    text,
  }));
};
