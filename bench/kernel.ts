/**
 * `decide` and `evolve` alone, without journal or engine: does the cost of a command grow with the
 * world? Run: `node bench/kernel.ts`.
 */
import {
  asId,
  commit,
  decide,
  evolve,
  NOTHING_ATTACHED,
  principalSubject,
  type State,
} from "../src/kernel/index.ts";
import { benchWorld } from "./bench-world.ts";
import { microsEach, shown } from "./stopwatch.ts";

const apply = (state: State, decision: ReturnType<typeof decide>): void => {
  if (decision.kind !== "accepted") throw new Error(`not accepted: ${decision.kind}`);
  for (const event of decision.events) evolve(state, event);
  commit(state);
};

/** Run time never goes back, in a bench neither. */
let now = 1e6;
const actor = () => principalSubject(asId("p0"), ++now);

const COMMANDS: { readonly [name: string]: (state: State) => void } = {
  transfer: (state) => {
    const by = actor();
    apply(
      state,
      decide(state, {
        kind: "call_native",
        by,
        artifact_id: asId("genesis_ledger"),
        method: "transfer",
        args: ["p1", 1],
        attach: NOTHING_ATTACHED,
        max_price: null,
      }),
    );
  },
  read: (state) => {
    const by = actor();
    const artifact_id = asId("a1");
    apply(state, decide(state, { kind: "read_artifact", by, artifact_id, max_price: null }));
  },
};

const measure = async (principals: number, artifacts: number): Promise<readonly number[]> => {
  const { world, close } = benchWorld({ principals, artifacts, folder: null });
  const figures = Object.values(COMMANDS).map((command) =>
    microsEach(() => command(world.state), { turns: 20_000 }),
  );
  await close();
  return figures;
};

const small = await measure(10, 1_000);
const large = await measure(1_000, 100_000);
console.log("decide + evolve      10 / 1,000      1,000 / 100,000 principals / artifacts   ratio");
for (const [index, name] of Object.keys(COMMANDS).entries()) {
  const [a = Number.NaN, b = Number.NaN] = [small[index], large[index]];
  console.log(`${name.padEnd(14)} ${shown(a)}   ${shown(b)}   ${(b / a).toFixed(2)}`);
}
