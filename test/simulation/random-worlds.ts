import { expect } from "vitest";
import {
  answerQuery,
  asId,
  commit,
  type Event,
  evolve,
  type State,
  viewOf,
} from "../../src/kernel/index.ts";
import { stateText } from "../../src/world/index.ts";
import { decodeEvent, encodeEvent } from "../../src/world/journal/wire-codec.ts";
import { physicsWith } from "../support/physics.ts";
import { reloaded } from "../support/scenario.ts";
import { type RandomRun, runRandomCommands } from "./random-commands.ts";

export const COMMANDS_EACH = 420;
const RELOADED_AFTER = 200;
/** The auditor reads all events each time; a difference that it finds does not go away. */
const AUDITED_EVERY = 3;

/** Resources run out in some worlds, so that refusals and failures are frequent. */
const physicsOf = (seed: number) =>
  physicsWith({
    resources: {
      window_ms: 5_000,
      disk_bytes: seed % 3 === 0 ? 1_500 : 9_000,
      llm_budget_micros: 300,
      windows: {
        ...{ actions: 40, llm_calls: 100, llm_tokens: 10_000, cpu_gas: 100_000 },
        bytes_written: seed % 3 === 0 ? 900 : 9_000,
      },
    },
    sandbox: { gas_max: 10_000, memory_bytes: 1_048_576, syscalls_max: 12, invoke_depth_max: 3 },
    agents: { principals_max: 12, max_consecutive_errors: 4, resume_after_ms: 50 },
    artifacts: { owner_chain_max: 3, depends_depth_max: 3 },
    genesis: { costs: { genesis_ledger: { transfer: 1 }, genesis_store: { delete: 2 } } },
  });

const QUESTIONS = [
  ["artifacts", {}],
  ["artifacts", { sort: "popular" }],
  ["artifacts", { owner: "p0" }],
  ["artifacts", { text: "text" }],
  ["artifacts", { type: "program", sort: "price" }],
  ["principals", {}],
  ["events", {}],
  ["auction", {}],
] as const;

const BOUNDS = {
  ...{ owned: 9, popular: 9, newest: 9, texts: 9, events: 20 },
  ...{ principals: 5, tasks: 5, offers: 3, children: 3, memories: 2 },
};

/** All that queries and views show of a world. */
const answers = (state: State): unknown => {
  const now = state.world.get("world")?.now ?? 0;
  return [
    ...QUESTIONS.map(([kind, filter]) => answerQuery(state, kind, filter, now)),
    ...["p0", "p1", "p2"].map((id) => viewOf(state, asId(id), { now, bounds: BOUNDS })),
  ];
};

/**
 * Plays one world and checks it after each command. A second state, which is encoded and decoded
 * halfway, follows the events of the first.
 */
export const playWorld = async (seed: number): Promise<RandomRun> => {
  const states: { world?: State; second?: State } = {};
  let transactions = 0;
  const watch = (events: readonly Event[], world: State): void => {
    const { second } = states;
    transactions += 1;
    if (transactions === RELOADED_AFTER) Object.assign(states, { world, second: reloaded(world) });
    if (second === undefined) return;
    for (const event of events) evolve(second, decodeEvent(encodeEvent(event)));
    commit(second);
  };
  const plan = { seed, commands: COMMANDS_EACH, auditedEvery: AUDITED_EVERY, watch };
  const run = await runRandomCommands(physicsOf(seed), plan);
  const { world, second } = states;
  if (world === undefined || second === undefined) throw new Error("the world was not reloaded");
  expect(stateText(second)).toBe(stateText(world));
  expect(answers(second)).toEqual(answers(world));
  return run;
};
