import { estimateTokens } from "../../../model/index.ts";
import {
  configFrom,
  type FirstPrompt,
  firstPrompts,
  keptConfig,
  openRun,
  type Persona,
  pastPrompt,
  personaSource,
  RUNS_FOLDER,
  showProblem,
  surveyPersonas,
} from "../../../run/index.ts";
import { counted, meantOrAll } from "../../../text/index.ts";

import type { RunPoint } from "../../../world/index.ts";
import { CliError } from "../../core/exit.ts";
import {
  addConfigFlags,
  type ConfigFlags,
  MOMENT_HELP,
  moment,
  openConfig,
  RUN_HELP,
} from "../../core/flags.ts";
import type { Output } from "../../core/output.ts";
import { type Register, type Shell, withExamples } from "../../core/shell.ts";
import type { AgentsFlags } from "./personas.ts";

type Flags = AgentsFlags &
  ConfigFlags & { readonly out: string; readonly run?: string; readonly at?: RunPoint };

export const registerPreview: Register = (command, shell) => {
  const shape = "{ id, mind, settings, sections: [{ name, tokens, text }], prompt, tokens }";
  command
    .argument("<name>", "id of a persona, or with --run of an agent")
    .option(
      "--json",
      `print one JSON document: ${shape}; with --run also seq, public_event and at_ms`,
    )
    .option("--run <run>", `print the prompt of this agent in a run: ${RUN_HELP}`)
    .option("--at <moment>", `with --run: ${MOMENT_HELP} (default: the end)`, moment)
    .option("--out <dir>", "folder that holds all runs", RUNS_FOLDER);
  addConfigFlags(command);
  withExamples(command, [
    "sim agents preview alpha --agents agents-llm",
    "sim agents preview alpha --run latest --at 300s",
  ]);
  command.action(async (name: string, flags: Flags) => {
    const found =
      flags.run === undefined
        ? await firstPreview(name, flags)
        : await pastPreview(flags.run, { ...flags, name }, shell);
    print(found, flags.json === true, shell.output);
  });
};

/** The prompt to print. `prompt` is null for an agent without a language model. */
type Preview = {
  readonly id: string;
  readonly mind: string;
  readonly prompt: FirstPrompt["prompt"] | null;
  readonly steps: FirstPrompt["steps"];
  readonly stepSystem: FirstPrompt["stepSystem"];
  readonly settings: FirstPrompt["settings"] | null;
  /** The moment of the run, or null for the first prompt of a persona. */
  readonly position: {
    /** The number of an event in the journal, where all events are numbered. */
    readonly seq: number;
    /** The number of the newest public event. Prompts show these numbers. */
    readonly publicEvent: number | null;
    readonly atMs: number;
  } | null;
};

const firstPreview = async (name: string, flags: Flags): Promise<Preview> => {
  if (flags.at !== undefined) {
    throw new CliError("--at is a moment of a run; add --run RUN, such as --run latest");
  }
  const opened = openConfig(flags, [
    { key: "agents.dir", value: flags.agents, origin: "--agents" },
  ]);
  const { personas, problems } = surveyPersonas(personaSource(opened));
  if (problems.length > 0) throw new CliError(problems.map(showProblem));
  const persona = named(name, personas);
  const prompts = await firstPrompts(opened.config, personas);
  const first = prompts.find((each) => each.persona === persona);
  const { prompt = null, steps = [], stepSystem = null, settings = null } = first ?? {};
  const { id, mind } = persona;
  return { id, mind, prompt, steps, stepSystem, settings, position: null };
};

const pastPreview = async (
  run: string,
  flags: Flags & { readonly name: string },
  { output, env }: Shell,
): Promise<Preview> => {
  const { name: agent, out, at = null, config: file, set, agents } = flags;
  const unused = [
    ...(file === undefined ? [] : ["--config"]),
    ...(set.length === 0 ? [] : ["--set"]),
    ...(agents === undefined ? [] : ["--agents"]),
  ];
  if (unused.length > 0) {
    throw new CliError(`--run uses the configuration of the run; omit ${unused.join(" and ")}`);
  }
  const { folder, journal } = openRun(run, out);
  const { config } = configFrom({ kept: keptConfig(folder, env), file: null, sets: [], flags: [] });
  const warn = (text: string): void => output.note(`note: ${text}`);
  const read = await pastPrompt(journal, { agent, folder, at, config, env, warn });
  journal.close();
  if (!read.ok) throw new CliError(read.problem);
  const { position, past } = read;
  const { mind, prompt = null, steps = [], stepSystem = null, settings = null } = past;
  const where = { ...position, publicEvent: past.publicEvent ?? null };
  return { id: agent, mind, prompt, steps, stepSystem, settings, position: where };
};

const print = (preview: Preview, json: boolean, output: Output): void => {
  const { id, mind, prompt, steps, position } = preview;
  const settings = preview.settings && settingsOf(preview.settings);
  const sections = sectionsOf(preview);
  if (json) {
    const text = prompt === null ? "" : `${prompt.system}\n\n${prompt.prompt}`;
    const where =
      position === null
        ? {}
        : { seq: position.seq, public_event: position.publicEvent, at_ms: position.atMs };
    output.json({
      id,
      mind,
      settings,
      ...where,
      sections,
      prompt: text,
      tokens: prompt?.tokens ?? 0,
    });
    return;
  }
  if (prompt === null) {
    output.line(`${id} has no prompt: its mind is ${mind}`);
    return;
  }
  if (position !== null) output.line(`${id} ${momentText(position)}`);
  for (const { name, tokens, text } of sections) {
    output.line(output.paint("bold", `--- ${name}, ${counted(tokens, "token")}`));
    output.block(text);
  }
  output.line(`about ${prompt.tokens} tokens in total`);
  const shown = Object.entries(settings ?? {}).map(
    ([key, value]) => `${key} ${value ?? "not set"}`,
  );
  output.line(shown.join(", "));
  if (steps.length > 0) output.line(STEPS);
};

/** Names both numbers, because the prompt shows only those of public events. */
const momentText = ({ seq, publicEvent, atMs }: NonNullable<Preview["position"]>): string => {
  const newest = publicEvent === null ? "no public event yet" : `public event ${publicEvent}`;
  return `at ${atMs / 1_000} s, after event ${seq} of the journal (${newest})`;
};

const STEPS =
  "A step that decides on the action gets the whole prompt and then its own text. Any other step " +
  "gets the section step_system and then its own text. Earlier steps have not run, so their " +
  "replies are missing.";

/** The settings of model calls: those of the persona, or else the defaults. */
const settingsOf = (settings: FirstPrompt["settings"]) => ({
  model: settings.model,
  cognitive_schema: settings.cognitiveSchema,
  temperature: settings.temperature,
  reasoning: settings.reasoning,
  max_tokens: settings.maxTokens,
});

const named = (name: string, personas: readonly Persona[]): Persona => {
  const persona = personas.find(({ id }) => id === name);
  if (persona !== undefined) return persona;
  const [member, ...others] = personas.filter(({ population }) => population === name);
  if (member !== undefined) {
    const count = others.length + 1;
    throw new CliError(
      `"${name}" is a population of ${counted(count, "agent")}; name one, as ${member.id}`,
    );
  }
  const ids = personas.map(({ id }) => id);
  throw new CliError(`there is no persona "${name}"; ${meantOrAll(name, ids)}`);
};

const sectionsOf = ({ prompt, steps, stepSystem }: Preview) => {
  if (prompt === null) return [];
  const asked = steps.map(({ step, tokens, text }) => ({ name: `step:${step}`, tokens, text }));
  const system =
    stepSystem === null
      ? []
      : [{ name: "step_system", tokens: estimateTokens(stepSystem), text: stepSystem }];
  return [...prompt.parts, ...system, ...asked].map(({ name, tokens, text }) => ({
    name,
    tokens,
    text,
  }));
};
