import { canonical, isObject, jsonIn } from "../../kernel/index.ts";
import { hasTurns } from "../../mind/index.ts";
import {
  type FlagValue,
  type LoadedConfig,
  labelsOf,
  type Persona,
  type ReadRequest,
  readWorkspaceFolder,
  showProblem,
} from "../../run/index.ts";
import { CliError } from "../core/exit.ts";

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

/**
 * The persona of a chat, whose turns start only with a message.
 * @param workspace the folder that replaces the workspace of the persona, or null.
 * @throws CliError
 */
export const chatPersona = (
  { personas, opened }: ReadRequest,
  agent: string,
  workspace: string | null,
): ChatPersona => {
  const [persona] = personas;
  if (persona === undefined || personas.length > 1) {
    throw new CliError(`${agent} is a population; name one agent, such as ${persona?.id}`);
  }
  if (!hasTurns(persona.mind)) {
    const minds = labelsOf(({ names }) => names.some(hasTurns));
    const rule = `only agents with \`mind: ${minds}\` can chat`;
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
