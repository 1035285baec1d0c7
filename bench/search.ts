/** What it takes to find artifacts among 50,000: by owner, type, text and popularity. */
import { answerQuery, asId, type Json } from "../src/kernel/index.ts";

import { benchWorld } from "./bench-world.ts";
import type { Figure } from "./figure.ts";
import { microsEach } from "./stopwatch.ts";

const ARTIFACTS = 50_000;
const PRINCIPALS = 1_000;
const SOLD = 200;
const BAR_MICROS = 100;

/** Each asks for twenty, as an agent does that reads all of them. */
const FILTERS: { readonly [name: string]: (turn: number) => Json } = {
  "by owner": (turn) => ({ owner: `p${turn % PRINCIPALS}`, limit: 20 }),
  "by type": () => ({ type: "program", limit: 20 }),
  "by a rare word": (turn) => ({ text: `a${turn % ARTIFACTS}`, limit: 20 }),
  "by a common word": () => ({ text: "sold", limit: 20 }),
  "by popularity": () => ({ sort: "popular", limit: 20 }),
};

export const figures = async (): Promise<readonly Figure[]> => {
  const { world, act, close } = benchWorld({
    principals: PRINCIPALS,
    artifacts: ARTIFACTS,
    folder: null,
  });
  for (let n = 0; n < SOLD; n++) {
    const artifact_id = `sold_${n}`;
    const code = "function run() { return 1 }";
    act(`p${n}`, { write_artifact: { artifact_id, code, price: 1, type: "program" } });
    for (let call = 0; call < n % 7; call++) act("p999", { invoke_artifact: { artifact_id } });
  }
  const { state } = world;
  const limit = {
    name: "a lookup by id",
    value: microsEach((turn) => state.artifacts.get(asId(`a${turn}`))),
  };
  const measured = Object.entries(FILTERS).map(([name, filterOf]): Figure => {
    const look = (turn: number): void => {
      const decision = answerQuery(state, "artifacts", filterOf(turn), 0);
      const found = decision.kind === "accepted" ? decision.answer : [];
      if (!Array.isArray(found) || found.length === 0) throw new Error(`${name}: none found`);
    };
    return { name, value: microsEach(look), unit: "us", bar: BAR_MICROS, limit };
  });
  await close();
  return measured;
};
