/**
 * What one of many agents sees in a large world, and the prompt that is made of it.
 */

import { asId, type Id, type State, VIEW_BOUNDS, viewOf } from "../src/kernel/index.ts";
import type { Recalled } from "../src/memory/index.ts";
import { mindSettingsOf, promptWith } from "../src/mind/index.ts";
import { llmDefaultsOf } from "../src/run/agents/model-users.ts";
import { loadConfig } from "../src/run/index.ts";
import { actionsGuide } from "../src/world/index.ts";

import { type BenchWorld, benchWorld } from "./bench-world.ts";
import type { Figure } from "./figure.ts";
import { microsEach } from "./stopwatch.ts";

const AGENTS = 1_000;
const ARTIFACTS = 50_000;

const MEMORIES: readonly Pick<Recalled, "text" | "kind">[] = [
  { kind: "action", text: "Agent p0 performed invoke_artifact program_7: the result was 14" },
  { kind: "action", text: "Agent p0 performed write_artifact program_0: it was written" },
  { kind: "observation", text: "program_9 is slow and dear; program_7 does the same for less." },
  { kind: "action", text: "Agent p0 performed noop: you waited (it succeeded)" },
  { kind: "observation", text: "No agent has bid above 20 since the third auction." },
];

/** Every agent sells a program with an interface, and has called programs of others. */
const populate = ({ act }: BenchWorld): void => {
  for (let n = 0; n < AGENTS; n++) {
    act(`p${n}`, {
      write_artifact: {
        artifact_id: `program_${n}`,
        artifact_type: "program",
        code: "function run(a, b) { return a + b }",
        price: 1,
        interface: {
          description: `Adds two numbers, as program ${n} of this world that does so.`,
          methods: [
            {
              name: "run",
              description: "the sum",
              input_schema: {
                type: "object",
                properties: { a: { type: "number" }, b: { type: "number" } },
                required: ["a", "b"],
              },
              examples: [{ args: [1, 2], result: 3 }],
            },
          ],
        },
      },
    });
  }
  for (let n = 0; n < AGENTS; n++) {
    const artifact_id = `program_${(n * 7 + 1) % 40}`;
    act(`p${n}`, { invoke_artifact: { artifact_id, args: [n, 2] } });
    act(`p${n}`, { read_artifact: { artifact_id: `a${n}` } });
  }
};

const settings = (() => {
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new Error("what is shipped is sound");
  const defaults = llmDefaultsOf(loaded.config);
  return new Map(
    Array.from({ length: AGENTS }, (_, n) => {
      const id = `p${n}`;
      return [
        id,
        mindSettingsOf({ id, values: {} }, { system_prompt: "You trade." }, defaults),
      ] as const;
    }),
  );
})();

const seller = (state: State): Id => {
  const busy = [...state.inboxes.rows()].find(({ sums }) => sums.length > 0);
  if (busy === undefined) throw new Error("some agent has more events than its inbox lists");
  return busy.agent;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const made = benchWorld({ principals: AGENTS, artifacts: ARTIFACTS, folder: null });
  populate(made);
  const { state } = made.world;
  const parts = { actionsGuide: actionsGuide(), sleepMaxS: 600, warn: () => {} };
  const idOf = (turn: number): Id => asId(`p${turn % AGENTS}`);
  const now = 1_000_000;
  const viewAt = (turn: number) => viewOf(state, idOf(turn), { now, bounds: VIEW_BOUNDS });
  const seen = viewAt(0);
  const memories = MEMORIES.map((each, at) => ({
    ...each,
    artifact: seen.id,
    number: at + 1,
    atMs: at * 1_000,
    similarity: 0.5,
  }));
  const prompt = (turn: number) => {
    const own = settings.get(idOf(turn));
    if (own === undefined) throw new Error("every agent has settings");
    return promptWith(own, parts, { view: viewAt(turn), memories });
  };
  const limit = {
    name: "JSON.stringify of what it sees",
    value: microsEach(() => JSON.stringify(seen)) / 1e3,
  };
  const whole = microsEach(prompt) / 1e3;
  const percept = microsEach(viewAt) / 1e3;
  // The agents whose programs the others have called have full inboxes with sums.
  const busy = seller(state);
  const busyPercept = microsEach(() => viewOf(state, busy, { now, bounds: VIEW_BOUNDS })) / 1e3;
  await made.close();
  return [
    { name: "percept and prompt", value: whole, unit: "ms", bar: 0.3, limit },
    { name: "percept alone", value: percept, unit: "ms", bar: null, limit: null },
    { name: "percept of a busy seller", value: busyPercept, unit: "ms", bar: 0.3, limit: null },
  ];
};
