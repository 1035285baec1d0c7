import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  AGENTS,
  type OpenConfig,
  personaSource,
  SHIPPED_POPULATIONS,
  surveyPersonas,
} from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { ChatSession } from "../chat/chat-session.ts";
import { chatPersona, chatSettings } from "../chat/chat-world.ts";
import { PluginCommands } from "../chat/plugin-commands.ts";
import { WorkspaceExport } from "../chat/workspace-export.ts";
import { CliError, EXIT } from "../core/exit.ts";
import {
  addAgentsFlag,
  addConfigFlags,
  addOutFlags,
  type ConfigFlags,
  configHere,
  model,
  notNegative,
  type OutFlags,
  openConfig,
} from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { listenForStop } from "../run/execute-run.ts";
import { launchOf, readRequest } from "../run/launch.ts";

type Flags = ConfigFlags &
  OutFlags & {
    readonly agents?: readonly string[];
    readonly workspace?: string;
    readonly name?: string;
    readonly model?: string;
    readonly maxCost?: number;
  };

/** The shipped personas on language models. */
const SHIPPED_AGENTS = "agents-llm";

export const register: Register = (command, shell) => {
  command.argument("<agent>", "id of a persona with mind: tools or mind: code");
  addAgentsFlag(command, `${AGENTS} in this folder, and the shipped ${SHIPPED_AGENTS}`);
  addConfigFlags(command)
    .option("--workspace <dir>", "files of the agent: read at the start, written after each turn")
    .option("--name <id>", "run id (default: made from the date and time)")
    .option("--max-cost <usd>", "stop before model calls cost more than this", notNegative)
    .option("--model <id>", "model of the agent: provider/model, or mock without a key", model);
  addOutFlags(command, "print what the agent does as JSON, one event a line");
  withExamples(command, [
    "sim chat toolsmith --model mock",
    "sim chat toolsmith --workspace my-files",
    "echo 'What is in your workspace?' | sim chat analyst --json",
  ]);
  command.action((agent: string, flags: Flags) => chat(agent, flags, shell));
};

const chat = async (agent: string, flags: Flags, shell: Shell): Promise<void> => {
  const stopping = listenForStop(shell);
  const given = [
    { key: "agents.dir", value: flags.agents ?? defaultAgents(agent, flags), origin: "--agents" },
    { key: "llm.default_model", value: flags.model, origin: "--model" },
    { key: "budget.max_api_cost_usd", value: flags.maxCost, origin: "--max-cost" },
  ];
  const first = openConfig(flags, given);
  const unknown = first.origins.get("agents.dir") === "default" ? whyUnknown(agent, first) : null;
  if (unknown !== null) throw new CliError(unknown);
  const read = await readRequest(
    {
      start: { kind: "new" },
      out: flags.out,
      name: flags.name,
      labels: ["chat"],
      config: flags.config ?? configHere(),
      sets: flags.set,
      settings: [...given, ...chatSettings(first)],
      only: [agent],
      isWatched: true,
    },
    shell,
  );
  const folder = flags.workspace ?? null;
  const workspace = folder !== null && existsSync(folder) ? folder : null;
  const { persona, imported } = chatPersona(read, agent, workspace);
  const files = folder === null ? null : new WorkspaceExport(folder, imported);
  const problem = files?.open() ?? null;
  if (problem !== null) throw new CliError(problem);
  const session = new ChatSession(shell.output, {
    agent: persona.id,
    json: flags.json === true,
    files,
    commands: new PluginCommands(persona, read.opened.config),
  });
  const { onMindEvent } = session;
  const launch = await launchOf({ ...read.run, personas: [persona], onMindEvent });
  stopping.onStop(() => launch.runner.stop("signal"));
  const result = await session.hold(launch, shell.lines);
  stopping.end();
  if (result.problem !== null) throw new CliError(result.problem, EXIT.couldNotRun);
  if (!result.isAnswered) shell.endWith(EXIT.failed);
};

/** Why no folder that is searched without flags has this persona, or null. */
const whyUnknown = (agent: string, opened: OpenConfig): string | null => {
  const { dirs, ...source } = personaSource(opened);
  const shipped = SHIPPED_POPULATIONS.get(SHIPPED_AGENTS) ?? SHIPPED_AGENTS;
  const surveys = [...dirs, shipped].map((dir) => surveyPersonas({ ...source, dirs: [dir] }));
  // The persona of this name can be one that is not valid.
  if (surveys.some(({ problems }) => problems.length > 0)) return null;
  const personas = surveys.flatMap((survey) => survey.personas);
  if (personas.some(({ id, population }) => id === agent || population === agent)) return null;
  const ids = [...new Set(personas.map(({ population }) => population))];
  const here = `there is no persona "${agent}" in ${dirs.join(", ")} or the shipped`;
  return `${here} ${SHIPPED_AGENTS}; ${meantOrAll(agent, ids)}`;
};

/** The shipped personas, if the folder `agents` here has no such persona. */
const defaultAgents = (agent: string, { config }: Flags): string | undefined => {
  const isHere = existsSync(join(AGENTS, agent));
  const isShipped = existsSync(join(SHIPPED_POPULATIONS.get(SHIPPED_AGENTS) ?? "", agent));
  return config === undefined && !isHere && isShipped ? SHIPPED_AGENTS : undefined;
};
