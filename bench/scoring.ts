/**
 * How long scoring by use takes beside many rivals, how long it keeps others waiting, and what a
 * write of much code takes. Run: `node bench/scoring.ts`.
 */
import { asId, must } from "../src/kernel/index.ts";
import { dossierOf, usageScorer } from "../src/world/index.ts";
import { benchPhysics, benchWorld } from "./bench-world.ts";
import { microsEach, shown } from "./stopwatch.ts";

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

const bench = benchWorld({ principals: 3, artifacts: 0, folder: null });
const { world, act } = bench;
const sold = (who: string, artifact_id: string, codes: readonly string[]): void => {
  for (const code of codes) act(who, { write_artifact: { artifact_id, code, price: 1 } });
  act("p2", { invoke_artifact: { artifact_id } });
};
const codes = (from: number, bytes: number): readonly string[] =>
  Array.from({ length: CODES }, (_, i) => codeOf(from * CODES + i, bytes));
for (let n = 0; n < RIVALS; n++) sold("p1", `rival_${n}`, codes(n, 250));
for (let n = 0; n < LONG_RIVALS; n++) sold("p1", `long_${n}`, codes(RIVALS + n, 20_000));
sold("p0", "mine", codes(2 * RIVALS, 250));
const write = (n: number) => ({ write_artifact: { artifact_id: "x", code: codeOf(1e6 + n, 2e4) } });
const micros = microsEach((turn) => act("p1", write(turn)), { rounds: 3, turns: 10 });
console.log(`a write of 20 kB of code: ${shown(micros)}`);
const atMs = benchPhysics().mint.first_auction_ms;
const bid = { artifact_id: "genesis_mint", method: "bid", args: ["mine"], attach: { scrip: 2 } };
const action = { invoke_artifact: bid };
const asked = { kind: "take_action", at_ms: atMs, principal: asId("p0"), action } as const;
world.submit({ ...asked, backoff: false });
const submission = must([...world.state.submissions.rows()][0], "there is a bid");

for (const round of ["first", "second"]) {
  const turnsMs = [performance.now()];
  const turns = setInterval(() => turnsMs.push(performance.now()), 0);
  await usageScorer.score(dossierOf(world, submission, atMs), AbortSignal.any([]));
  clearInterval(turns);
  turnsMs.push(performance.now());
  const waitsMs = turnsMs.map((turnMs, n) => turnMs - (turnsMs[n - 1] ?? turnMs));
  const tookMs = (turnsMs.at(-1) ?? 0) - (turnsMs[0] ?? 0);
  console.log(
    `the ${round} score, ${RIVALS} rivals of ${CODES} codes, ${LONG_RIVALS} of 20 kB codes: ` +
      `${tookMs.toFixed(0)} ms, others wait for ${Math.max(...waitsMs).toFixed(0)} ms at most`,
  );
}
await bench.close();
