import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  asId,
  type Id,
  liveArtifact,
  physicsOf,
  type Result,
  type State,
  VIEW_BOUNDS,
  viewOf,
} from "../../kernel/index.ts";
import { embeddingModel, openMemory, replaySettings, withoutServer } from "../../memory/index.ts";
import { type LoadedKind, ModuleThread } from "../../mind/index.ts";
import { type Environment, parseModelId } from "../../model/index.ts";
import { meantOrAll } from "../../text/index.ts";
import {
  type Journal,
  type JournalPosition,
  memoryPages,
  positionOf,
  type RunPoint,
  restore,
  sandboxFor,
} from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import { runPaths } from "../files/run-files.ts";
import { moduleProblems, modulesOf, needsOf } from "../files/run-modules.ts";
import { recordedModel } from "../memory/recorded-model.ts";
import { type ReadAgent, readAgent } from "../minds/agent-config.ts";
import { agentEffects } from "../trust/effects.ts";
import { trustedEffects } from "../trust/signature.ts";
import { promptPartsOf } from "./first-prompts.ts";

type Asked = {
  readonly agent: string;
  /** The folder of the run. */
  readonly folder: string;
  /** Null for the end of the run. */
  readonly at: RunPoint | null;
  readonly config: Config;
  readonly env: Environment;
  readonly warn: (text: string) => void;
};

/** The prompt is absent if the agent has no language model. */
type PastPrompt = Partial<Awaited<ReturnType<typeof promptOf>>> & { readonly mind: string };

/**
 * Returns the prompt that an agent gets if it thinks at a moment of a run. If the agent starts a
 * thought at the given time, this is the prompt of that thought. Rebuilds the state and the
 * memories from the journal. Returns a problem if there is no such moment or agent.
 * @throws JournalFailure if the journal is damaged.
 */
export const pastPrompt = async (
  journal: Journal,
  asked: Asked,
): Promise<Result<{ readonly past: PastPrompt; readonly position: JournalPosition }>> => {
  const found = viewedPosition(journal, asked);
  if (!found.ok) return found;
  const { position } = found;
  const { state } = restore(journal, { upTo: position.seq });
  const agent = asId(asked.agent);
  if (!state.agents.has(agent)) {
    const ids = [...state.agents.keys()];
    const hint = meantOrAll(agent, ids);
    const problem = `there is no agent "${agent}" after event ${position.seq}; ${hint}`;
    return { ok: false, problem };
  }
  const read = readAgent(liveArtifact(state, agent)?.content ?? "");
  if (!read.ok) return { ok: false, problem: `the configuration of ${agent} cannot be read` };
  const { mind } = read.config;
  const { preview } = read.kind.cost === "models" ? await read.kind.load() : { preview: null };
  if (preview === null) return { ok: true, position, past: { mind } };
  const world = { state, ...position };
  const past = await promptOf(journal, { ...asked, agent, world, read, preview });
  return { ok: true, position, past: { mind, ...past } };
};

/** The position at which the agent looks at the world: if it starts a thought then, this event. */
const viewedPosition = (
  journal: Journal,
  { at, agent }: Asked,
): Result<{ readonly position: JournalPosition }> => {
  const found = positionOf(journal, at);
  if (!found.ok) return { ok: false, problem: `--at ${found.problem}` };
  if (at?.kind !== "time") return found;
  const kind = "thought_started";
  const [thought] = journal.events({ sinceMs: at.atMs, kind, principal: agent, limit: 1 });
  return thought?.atMs === at.atMs ? { ok: true, position: thought } : found;
};

type Restored = Omit<Asked, "agent"> & {
  readonly agent: Id;
  readonly world: JournalPosition & { readonly state: State };
  readonly read: ReadAgent;
  readonly preview: NonNullable<LoadedKind["preview"]>;
};

const promptOf = async (journal: Journal, asked: Restored) => {
  const { agent, world, read, preview, config, warn } = asked;
  const { state, seq, atMs } = world;
  const physics = physicsOf(state);
  const sandbox = sandboxFor(physics);
  const folder = mkdtempSync(join(tmpdir(), "sim-preview-"));
  const memory = memoryAt(journal, { config, folder, seq, warn });
  const view = { ...viewOf(state, agent, { now: atMs, bounds: VIEW_BOUNDS }) };
  const recalled = new Set<string>(view.memories.map(({ id }) => id));
  for (const { memories } of memoryPages(journal, { upTo: seq })) {
    const known = memories.filter(({ artifact }) => recalled.has(artifact));
    memory?.store?.add(known.map((each) => ({ ...each, artifact: asId(each.artifact) })));
  }
  const modules = new ModuleThread(config.timeouts.module_s);
  const needs = needsOf([{ id: agent, content: JSON.stringify(read.config) }]);
  const copies = runPaths(asked.folder).modules;
  const trusted = trustedEffects(asked.folder, asked.env);
  const isTrusted = agentEffects(state, copies).every(
    (each) => each.agent !== agent || trusted.has(each.effect),
  );
  const problems = isTrusted
    ? moduleProblems(copies, { needs, source: copies, modules })
    : [`the plugins of ${agent} are not loaded, because the run is of somebody else`];
  for (const problem of problems) warn(problem);
  const usable = problems.length === 0 ? read.config : { ...read.config, plugins: [] };
  const shown = await preview(
    { own: view.agent, config: usable },
    {
      seed: config.run.seed,
      physics,
      sandbox,
      moduleNamed: modulesOf(copies, modules),
      warn,
      llm: { ...promptPartsOf(config), memory },
    },
    { view, signal: new AbortController().signal },
  );
  modules.close();
  await memory?.store?.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
  return { ...shown, publicEvent: view.events.at(-1)?.n ?? null };
};

type MemoryPlace = Pick<Asked, "config" | "warn"> & {
  readonly folder: string;
  readonly seq: number;
};

/**
 * Opens an empty memory with the run's embedder, which calls no provider. Facts come from the
 * recorded calls. Vectors of a provider are not recorded, so texts are then compared by spelling.
 */
const memoryAt = (journal: Journal, { config, folder, seq, warn }: MemoryPlace) => {
  const { llm } = config;
  const embedder = embeddingModel(config.memory);
  const parsed = embedder === null ? null : parseModelId(embedder);
  const isMock = parsed?.ok === true && parsed.provider === "mock";
  if (embedder !== null && !isMock) {
    warn(`the preview does not call ${embedder}; it compares memories by spelling instead`);
  }
  const kept = isMock ? config.memory : replaySettings(config.memory);
  const settings = withoutServer(kept);
  const { model } = recordedModel(journal, { config, upTo: seq, env: null });
  const inference = { model: llm.default_model, reasoning: llm.reasoning };
  return openMemory({
    settings,
    env: {},
    folder,
    run: { id: "preview", startedAt: new Date(0) },
    model,
    inference,
    warn,
  });
};
