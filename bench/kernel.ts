/**
 * `decide` and `evolve` alone, without journal or engine: how does the cost of a command grow to
 * a world of 1,000 principals and 100,000 artifacts?
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
import type { Figure } from "./figure.ts";
import { microsEach } from "./stopwatch.ts";

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
  const micros = Object.values(COMMANDS).map((command) =>
    microsEach(() => command(world.state), { turns: 20_000 }),
  );
  await close();
  return micros;
};

const GROWTH_MAX = 1.2;

export const figures = async (): Promise<readonly Figure[]> => {
  // A process that has just begun is slow: what it does first would seem to cost more.
  await measure(10, 1_000);
  const small = await measure(10, 1_000);
  const large = await measure(1_000, 100_000);
  return Object.keys(COMMANDS).flatMap((name, n) => {
    const [one, other] = [small[n] ?? Number.NaN, large[n] ?? Number.NaN];
    return [
      { name, value: one, unit: "us", bar: null, limit: null },
      { name: `${name}, large world`, value: other / one, unit: "x", bar: GROWTH_MAX, limit: null },
    ] as const;
  });
};
