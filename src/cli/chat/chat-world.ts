import { canonical, isObject, jsonIn } from "../../kernel/index.ts";
import {
  type FlagValue,
  hasTools,
  Launch,
  type LoadedConfig,
  loadPersonas,
  newRunId,
  type OpenConfig,
  type Persona,
  programsFolder,
  readWorkspaceFolder,
  showProblem,
} from "../../run/index.ts";
import type { MindEvent } from "../../tools/index.ts";

import { CliError } from "../exit.ts";
import { personaSource } from "../flags.ts";
import { launchOf, planFor, requestFor } from "../run/run-request.ts";
import type { Shell } from "../shell.ts";

/** More than a person uses in a conversation. */
const DURATION_S = 1_000_000;
const LLM_BUDGET_USD = 1_000;
const QUOTA = 1_000_000_000;
const WINDOWS = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"];

/** The settings of a world for one agent, in which nothing is scarce. */
const SETTINGS: readonly (readonly [key: string, value: unknown])[] = [
  ["run.clock", "wall"],
  ["run.duration_s", DURATION_S],
  ["agent.loop.min_delay_s", 0.001],
  ["agent.loop.sleep_max_s", 3_600],
  ["resources.stock.llm_budget_usd", LLM_BUDGET_USD],
  ...WINDOWS.map((name) => [`resources.windows.${name}`, QUOTA] as const),
  ["genesis.costs.genesis_messenger.send", 0],
  ["mint.tasks", []],
  ["compute.sale", "none"],
  ["checkpoint.every_s", null],
];

/** The settings of a chat. Those that the user sets, in a file or by `--set`, stay as they are. */
export const chatSettings = ({ origins }: LoadedConfig): readonly FlagValue[] =>
  SETTINGS.filter(([key]) => origins.get(key) === "default").map(([key, value]) => ({
    key,
    value,
    origin: "sim chat",
  }));

/** The persona of a chat, and the content of the folder that replaces its workspace, or null. */
type ChatPersona = { readonly persona: Persona; readonly imported: string | null };

const NO_FILES = "{}";

type Wanted = {
  readonly agent: string;
  /** The folder that replaces the workspace of the persona, or null. */
  readonly workspace: string | null;
};

/** The persona of a chat, whose turns start only with a message. @throws CliError */
export const chatPersona = (opened: OpenConfig, { agent, workspace }: Wanted): ChatPersona => {
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
  if (workspace === null) return { persona: { ...persona, content }, imported: null };
  const read = readWorkspaceFolder(workspace, opened.config.resources.stock.disk_bytes);
  if (!read.ok) throw new CliError(read.problems.map(showProblem));
  const imported = read.content === NO_FILES ? null : read.content;
  return { persona: { ...persona, content, workspace: imported ?? persona.workspace }, imported };
};

type Chat = {
  readonly persona: Persona;
  readonly out: string;
  readonly name: string | undefined;
  readonly onMindEvent: (event: MindEvent) => void;
};

/** Creates the world of a chat, as a run of its own. */
export const chatLaunch = async (
  opened: OpenConfig,
  { persona, out, name, onMindEvent }: Chat,
  shell: Shell,
): Promise<Launch> => {
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
