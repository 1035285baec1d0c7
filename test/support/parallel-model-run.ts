import { join } from "node:path";
import { Dice } from "../../src/kernel/core/dice.ts";
import { writePersonas } from "./model-run.ts";
import { PROMPT_MODEL_SETS, promptModel } from "./prompt-model.ts";
import { prepareRun, type RunSetup } from "./simulation-run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type Fetch = typeof globalThis.fetch;

/**
 * Answers the requests that wait in a random order, one per turn of the event loop. `most` is the
 * largest number of requests that waited at the same time.
 */
export const shuffled = (
  seed: number,
  inner: Fetch = promptModel,
): { fetch: Fetch; most: number } => {
  const dice = Dice.of(seed, "answers");
  const waiting: (() => void)[] = [];
  const answerOne = (): void => {
    // Lets some turns pass without an answer, so that more requests come together.
    if (dice.pick(3) === 0) waiting.splice(dice.pick(waiting.length), 1)[0]?.();
    if (waiting.length > 0) setImmediate(answerOne);
  };
  const server = {
    most: 0,
    fetch: ((url, init) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(inner(url, init)));
        server.most = Math.max(server.most, waiting.length);
        if (waiting.length === 1) setImmediate(answerOne);
      })) satisfies Fetch,
  };
  return server;
};

const saidBy = (init: Parameters<Fetch>[1]): number =>
  [...String(init?.body)].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 9_973, 7);

/** Fails in different ways, each time in the same way for the same request. */
export const faulty: Fetch = (url, init) => {
  const said = saidBy(init) % 7;
  const error = (status: number): Response =>
    new Response(JSON.stringify({ error: { message: "overloaded" } }), { status });
  if (said === 0) return Promise.resolve(error(500));
  if (said === 1) return Promise.resolve(error(429));
  if (said === 2) return Promise.resolve(new Response("<html>not JSON</html>"));
  return promptModel(url, init);
};

export const AGENTS = Array.from({ length: 12 }, (_, i) => `agent_${i}`);

const folderOf = (): string => {
  const agents = join(temporaryFolder(), "agents");
  writePersonas(agents, Object.fromEntries(AGENTS.map((id) => [id, { mind: "llm" }])));
  return agents;
};
/** A run of twelve agents on language models, on the virtual clock. */
export const runOf = (fetch: Fetch, ...sets: readonly string[]): RunSetup => ({
  agents: folderOf(),
  sets: [
    "run.duration_s=10",
    ...PROMPT_MODEL_SETS,
    "llm.failover.attempts_max=2",
    "llm.failover.cooldown_initial_s=0.001",
    "llm.failover.cooldown_max_s=0.002",
    "virtual.think_ms.llm=[1000,5000]",
    "memory.embedder=hashed",
    ...sets,
  ],
  order: { fetch },
});

/** A setting under which no two requests are in progress at the same time. */
export const ONE_BY_ONE = "llm.max_concurrency=1";

/** Runs a world that a person pauses and resumes at six of the moments when a thought starts. */
export const runWithPauses = async (setup: RunSetup) => {
  const launch = prepareRun(temporaryFolder(), setup);
  const operator = launch.runner.operate();
  let pauses = 0;
  launch.runner.follow((rows) => {
    if (!rows.some(({ kind }) => kind === "thought_started") || pauses > 5) return;
    pauses += 1;
    void operator.execute({ kind: "pause" });
    setImmediate(() => setImmediate(() => void operator.execute({ kind: "resume" })));
  });
  const result = await launch.run();
  return { pauses, result };
};
