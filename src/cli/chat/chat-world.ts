import { canonical, isObject, jsonIn } from "../../kernel/index.ts";
import { hasTools, type MindEvent } from "../../mind/index.ts";
import {
  type FlagValue,
  Launch,
  loadPersonas,
  newRunId,
  type OpenConfig,
  type Persona,
  programsFolder,
  readWorkspaceFolder,
  showProblem,
} from "../../runner/index.ts";
import { CliError } from "../exit.ts";
import { personaSource } from "../flags.ts";
import { launchOf, planFor, requestFor } from "../run/run-request.ts";
import type { Shell } from "../shell.ts";

/** Larger than a person uses in a conversation. */
const PLENTY = 1_000_000;
const WINDOWS = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"];

/** The settings of a world for one agent, in which nothing is scarce. */
const SETTINGS: readonly (readonly [key: string, value: unknown])[] = [
  ["run.clock", "wall"],
  ["run.duration_s", PLENTY],
  ["agent.loop.min_delay_s", 0.001],
  ["agent.loop.sleep_max_s", 3_600],
  ["resources.stock.llm_budget_usd", 1_000],
  ...WINDOWS.map((name) => [`resources.windows.${name}`, PLENTY * PLENTY] as const),
  ["mint.tasks", []],
  ["compute.sale", "none"],
  ["checkpoint.every_s", null],
];

/** The settings of a chat, except those that the user sets. */
export const chatSettings = (sets: readonly string[]): readonly FlagValue[] =>
  SETTINGS.filter(([key]) => !sets.some((set) => set.startsWith(`${key}=`))).map(
    ([key, value]) => ({ key, value, origin: "sim chat" }),
  );

type Wanted = {
  readonly agent: string;
  /** The folder that replaces the workspace of the persona, or null. */
  readonly workspace: string | null;
};

/** The persona of a chat, whose turns start only with a message. @throws CliError */
export const chatPersona = (opened: OpenConfig, { agent, workspace }: Wanted): Persona => {
  const loaded = loadPersonas({ ...personaSource(opened), only: [agent] });
  if (!loaded.ok) throw new CliError(loaded.problems.map(showProblem));
  const [persona] = loaded.personas;
  if (persona === undefined || loaded.personas.length > 1) {
    const ids = loaded.personas.map(({ id }) => id).slice(0, 2);
    throw new CliError(`${agent} is a population; name one agent, such as ${ids[0]}`);
  }
  if (!hasTools(persona.mind)) {
    const rule = "only agents with `mind: tools` or `mind: code` can chat";
    throw new CliError(`${agent} has mind: ${persona.mind}; ${rule}`);
  }
  const given = jsonIn(persona.content);
  const config = isObject(given) ? given : {};
  const tools = isObject(config.tools) ? config.tools : {};
  const content = canonical({ ...config, tools: { ...tools, turns: "on_message" } });
  if (workspace === null) return { ...persona, content };
  const read = readWorkspaceFolder(workspace, opened.config.resources.stock.disk_bytes);
  if (!read.ok) throw new CliError(read.problems.map(showProblem));
  return { ...persona, content, workspace: read.content ?? persona.workspace };
};

type Chat = {
  readonly persona: Persona;
  readonly out: string;
  readonly name: string | undefined;
  readonly onMindEvent: (event: MindEvent) => void;
};

/** Creates the world of a chat, as a run of its own. */
export const chatLaunch = (
  opened: OpenConfig,
  { persona, out, name, onMindEvent }: Chat,
  shell: Shell,
): Launch => {
  const planned = planFor(opened, { kept: null, scheduled: [], present: [persona] });
  const flags = { out, label: ["chat"], programs: programsFolder(opened) };
  const request = requestFor(planned.config, flags, shell);
  return launchOf(
    Launch.start({
      ...request,
      isWatched: true,
      onMindEvent,
      schedule: planned.schedule,
      personas: [persona],
      out,
      runId: name ?? newRunId(request.startedAt, Math.random),
      from: null,
      replay: null,
    }),
  );
};
