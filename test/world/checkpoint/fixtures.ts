import { join } from "node:path";
import { asId, type State, VIEW_BOUNDS, viewOf } from "../../../src/kernel/index.ts";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import { type Checkpoint, stateText } from "../../../src/world/index.ts";
import { agent, given, note, program } from "../../support/scenario.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export const freshPath = (): string => join(temporaryFolder(), "run", "7.ckpt");

export const smallState = (): State =>
  given(
    agent("alice"),
    agent("bob"),
    note("poem", "alice", { content: "é😀".repeat(50) }),
    program("tool", "bob", { price: 5, metadata: { "10": 1, "9": { b: 1, a: 2 }, k: [1, null] } }),
  ).state;

export const checkpointWith = (more: Partial<Checkpoint> = {}): Checkpoint => {
  return {
    madeBy: { version: "0.1.0", engine: "quickjs" },
    run: { id: "r2", seed: 7, clock: "virtual", ancestry: [{ run_id: "r1", seq: 3 }] },
    seq: 7,
    atMs: 1_234,
    eventHash: "e".repeat(64),
    state: packedJson(stateText(smallState())),
    memories: [
      { artifact: asId("alice"), number: 1, atMs: 5, kind: "action", text: 'I wrote "state":{ 😀' },
      { artifact: asId("bob"), number: 1, atMs: 6, kind: "observation", text: "" },
    ],
    thoughts: [
      {
        agent: asId("bob"),
        view: viewOf(smallState(), asId("bob"), { now: 9, bounds: VIEW_BOUNDS }),
      },
    ],
    spentMicros: 99,
    config: "run:\n  seed: 7\n",
    ...more,
  };
};
