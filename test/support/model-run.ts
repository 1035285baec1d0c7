import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { State } from "../../src/kernel/index.ts";
import { type Environment, type RecordedCall, readCalls } from "../../src/model/index.ts";
import { Launch, type RunResult, type SimulationRunner } from "../../src/run/index.ts";
import type { MindEvent } from "../../src/tools/index.ts";
import { Journal, replay, stateHash } from "../../src/world/index.ts";
import type { Answer } from "./model-server/answer.ts";
import {
  askerOf,
  type Script,
  type ServedCall,
  startModelServer,
} from "./model-server/model-server.ts";
import { newRun } from "./simulation-run.ts";

/** The fields of an agent.yaml, without the id. */
export type PersonaFields = { readonly [key: string]: unknown };
export type Personas = { readonly [id: string]: PersonaFields };

export type ModelRunPlan = {
  readonly agents: Personas;
  /** More files of the personas, by path below their common folder, such as `ada/plugin.ts`. */
  readonly files?: Readonly<Record<string, string>>;
  /** The answers of the model. */
  readonly script: Script;
  /** `key=value`, as `--set` takes them. */
  readonly sets?: readonly string[];
  readonly env?: Environment;
  /** In place of the network. */
  readonly fetch?: typeof globalThis.fetch;
  readonly replay?: readonly RecordedCall[];
  /** Takes the notes for the people who run the simulation. */
  readonly note?: (text: string) => void;
  readonly onMindEvent?: (event: MindEvent) => void;
  /** What a test does while the run continues. */
  readonly meanwhile?: (runner: SimulationRunner, arrived: Arrived) => void;
};

/** Resolves when `count` calls have reached the server. */
export type Arrived = (count: number) => Promise<void>;

const seen = z.looseObject({
  seq: z.number(),
  at_ms: z.number(),
  kind: z.string(),
  principal: z.string().nullable(),
});
/** An event or note of the journal, as `sim events --json` prints it. */
export type SeenEvent = z.infer<typeof seen>;

export type ModelRun = {
  readonly result: RunResult;
  readonly state: State;
  readonly events: readonly SeenEvent[];
  /** What the journal keeps of the calls. */
  readonly recorded: readonly RecordedCall[];
  /** What arrived at the server. */
  readonly served: readonly ServedCall[];
  /** The files of the run, by path within its folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The hash of the state to which the journal replays. */
  readonly replayedHash: string;
  /** The events of one kind, of one agent where it is named. */
  of(kind: string, agent?: string): readonly SeenEvent[];
  /** The calls that reached the server for one agent, in order, and their prompts. */
  callsOf(agent: string): readonly ServedCall[];
  promptsOf(agent: string): readonly string[];
};

/** One model that needs no key, at the server of the test; thoughts take one simulated second. */
const BASE_SETS = [
  "run.duration_s=10",
  "llm.default_model=openai-compatible/tiny",
  "llm.failover.cooldown_initial_s=0.001",
  "llm.failover.cooldown_max_s=0.002",
  "llm.timeout_s=5",
  "virtual.think_ms.llm=[1000,1000]",
  "memory.embedder=hashed",
  "mint.tasks=[]",
  "timeouts.shutdown_s=2",
];

const AT = ["google", "anthropic", "openai", "openai-compatible"] as const;

/** A whole run in this process, with the real configuration, journal and AI SDK. */
export const runModels = async (plan: ModelRunPlan): Promise<ModelRun> => {
  const server = await startModelServer(plan.script);
  const folder = mkdtempSync(join(tmpdir(), "sim-models-"));
  try {
    const at = AT.map((provider) => {
      return `llm.providers.${provider}.base_url=${server.baseUrl(provider)}`;
    });
    const launch = launchOf(folder, { ...plan, sets: [...BASE_SETS, ...at, ...(plan.sets ?? [])] });
    const ran = launch.run();
    plan.meanwhile?.(launch.runner, (count) => server.arrived(count));
    return reading({ launch, result: await ran, served: server.calls });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const launchOf = (folder: string, plan: ModelRunPlan): Launch => {
  const { sets = [], env = {}, replay, fetch, note, onMindEvent } = plan;
  const agents = join(folder, "agents");
  writePersonas(agents, plan.agents);
  for (const [path, text] of Object.entries(plan.files ?? {})) {
    mkdirSync(join(agents, dirname(path)), { recursive: true });
    writeFileSync(join(agents, path), text);
  }
  const order = {
    env,
    replay: replay === undefined ? null : { calls: replay, otherwise: "fail" as const },
    ...(fetch === undefined ? {} : { fetch }),
    ...(note === undefined ? {} : { note }),
    ...(onMindEvent === undefined ? {} : { onMindEvent }),
  };
  const request = newRun(join(folder, "runs"), { agents, sets, order });
  const launched = Launch.start({ ...request, runId: "run" });
  if (!launched.ok) throw new Error(launched.problems.join("\n"));
  return launched.launch;
};

export const writePersonas = (folder: string, agents: Personas): void => {
  for (const [id, fields] of Object.entries(agents)) {
    mkdirSync(join(folder, id), { recursive: true });
    writeFileSync(join(folder, id, "agent.yaml"), JSON.stringify({ id, ...fields }));
  }
};

type Ran = {
  readonly launch: Launch;
  readonly result: RunResult;
  readonly served: readonly ServedCall[];
};

const reading = ({ launch, result, served }: Ran): ModelRun => {
  const { folder } = launch.directory;
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const events = [...journal.events({})].map(({ seq, atMs, kind, principal, body }) =>
    seen.parse({ seq, at_ms: atMs, kind, principal, ...JSON.parse(body) }),
  );
  const replayedHash = stateHash(replay(journal).state);
  const recorded = [...readCalls(journal.modelCalls())].map((read) => {
    if (!read.ok) throw new Error(`record ${read.id}: ${read.problem}`);
    return read.call;
  });
  journal.close();
  const callsOf = (agent: string) => served.filter((call) => askerOf(call) === agent);
  return {
    result,
    state: launch.runner.world.state,
    events,
    recorded,
    served: [...served],
    files: filesIn(folder),
    replayedHash,
    of: (kind, agent) =>
      events.filter((event) => {
        return event.kind === kind && (agent === undefined || event.principal === agent);
      }),
    callsOf,
    promptsOf: (agent) => callsOf(agent).map(({ prompt }) => prompt),
  };
};

const filesIn = (folder: string): ReadonlyMap<string, Buffer> => {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
};

/** A reply that decides on an action. */
export const acting = (action: unknown, more: object = {}): Extract<Answer, { text: string }> => ({
  text: JSON.stringify({ thought_process: "I thought about it.", action, ...more }),
});
export const NOOP = acting({ noop: {} });

/** The answers for each agent, in order. After the last one, the answer is noop. */
export const inTurn = (turns: { readonly [agent: string]: readonly Answer[] }): Script => {
  const told = new Map<string, number>();
  return (call) => {
    const asker = askerOf(call);
    const turn = told.get(asker) ?? 0;
    told.set(asker, turn + 1);
    return turns[asker]?.[turn] ?? NOOP;
  };
};
