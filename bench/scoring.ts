/**
 * The time of scoring by use with many rivals, the longest pause that it causes, and the time of a
 * write of long code.
 */

import { asId, must } from "../src/kernel/index.ts";
import { candidateOf, usageScorer } from "../src/world/index.ts";
import { type BenchWorld, benchPhysics, benchWorld } from "./bench-world.ts";
import type { Figure } from "./figure.ts";
import { microsEach } from "./stopwatch.ts";

const [RIVALS, LONG_RIVALS, CODES] = [1_000, 10, 8];
const WORDS = ["map", "filter", "some", "every", "find", "flatMap", "findIndex", "reduce"];

/** No two are alike, and most have something in common. */
const codeOf = (n: number, bytes: number): string => {
  let text = "";
  for (let at = n + 1; text.length < bytes; at = (at * 48_271) % 2_147_483_647) {
    text += `.${WORDS[at % 8]}((x) => x ${"+-*/%&|^"[(at >> 3) % 8]} ${at % 7 > 3 ? "a" : 1})`;
  }
  return `function run(a) { return 1 } function rest(a) { return a${text} }`;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const bench = benchWorld({ principals: 3, artifacts: 0, folder: null });
  const { act } = bench;
  const sold = (who: string, artifact_id: string, codes: readonly string[]): void => {
    for (const code of codes) act(who, { write_artifact: { artifact_id, code, price: 1 } });
    act("p2", { invoke_artifact: { artifact_id } });
  };
  for (let n = 0; n < RIVALS; n++) sold("p1", `rival_${n}`, codes(n, 250));
  for (let n = 0; n < LONG_RIVALS; n++) sold("p1", `long_${n}`, codes(RIVALS + n, 20_000));
  sold("p0", "mine", codes(2 * RIVALS, 250));
  const write = (n: number) => ({
    write_artifact: { artifact_id: "x", code: codeOf(1e6 + n, 2e4) },
  });
  const micros = microsEach((turn) => act("p1", write(turn)), { rounds: 3, turns: 10 });
  const first = await scored(bench);
  const second = await scored(bench);
  await bench.close();
  return [
    { name: "write of 20 kB of code", value: micros / 1e3, unit: "ms", bar: null, limit: null },
    { name: "first score", value: first.tookMs, unit: "ms", bar: null, limit: null },
    { name: "others wait, first", value: first.waitMs, unit: "ms", bar: null, limit: null },
    { name: "second score", value: second.tookMs, unit: "ms", bar: null, limit: null },
    { name: "others wait, second", value: second.waitMs, unit: "ms", bar: null, limit: null },
  ];
};

const codes = (from: number, bytes: number): readonly string[] =>
  Array.from({ length: CODES }, (_, i) => codeOf(from * CODES + i, bytes));

type Scored = { readonly tookMs: number; readonly waitMs: number };

/** How long a score takes, and how long at most it keeps others waiting. */
const scored = async ({ world }: BenchWorld): Promise<Scored> => {
  const atMs = benchPhysics().mint.first_auction_ms;
  const open = [...world.state.submissions.rows()];
  if (open.length === 0) {
    const bid = {
      artifact_id: "genesis_mint",
      method: "bid",
      args: ["mine"],
      attach: { scrip: 2 },
    };
    const action = { invoke_artifact: bid };
    const asked = { kind: "take_action", at_ms: atMs, principal: asId("p0"), action } as const;
    world.submit({ ...asked });
  }
  const submission = must([...world.state.submissions.rows()][0], "there is a bid");
  const turnsMs = [performance.now()];
  const turns = setInterval(() => turnsMs.push(performance.now()), 0);
  await usageScorer.score(candidateOf(world, submission, atMs), AbortSignal.any([]));
  clearInterval(turns);
  turnsMs.push(performance.now());
  const waitsMs = turnsMs.map((turnMs, n) => turnMs - (turnsMs[n - 1] ?? turnMs));
  return { tookMs: (turnsMs.at(-1) ?? 0) - (turnsMs[0] ?? 0), waitMs: Math.max(...waitsMs) };
};
