import { z } from "zod";
import type { Json, View } from "../../src/kernel/index.ts";
import type { Mind, Thought } from "../../src/mind/index.ts";
import { recipeBookOf } from "../../src/policy/index.ts";
import { policyKind } from "../../src/policy/kinds.ts";
import { SHIPPED } from "../../src/run/index.ts";
import { type Seen, viewWith } from "../support/view.ts";
import { shipped } from "./library/shipped.ts";

export const recipeBook = recipeBookOf(shipped);
export const THOUGHT_MICROS = 1_500;

const { open } = await policyKind.load();
const policies = open({
  seed: 7,
  programsFolder: SHIPPED.programs,
  policyPrice: { micros: THOUGHT_MICROS, calls: 0, tokens: 400 },
  policyThinkMs: [200, 800],
} as never);

export const mind = (name: string, policy = {}): Mind =>
  policies.create({ id: "me", values: {} }, { mind: name, policy });

export type Decided = Extract<Thought, { kind: "decided" }>;

export const decide = (thinker: Mind, view: View): Decided => {
  const thought = thinker.decide(view, new AbortController().signal);
  if (thought instanceof Promise || thought.kind !== "decided") throw new Error("a policy decides");
  return thought;
};

type Life = Seen & { readonly turns: number; readonly turnMs?: number };

/** What an agent decides, turn by turn; `after` gives what it sees of each action. */
export const live = (
  thinker: Mind,
  { turns, turnMs = 1_000, ...seen }: Life,
  after: (action: Json) => Seen = () => ({}),
): readonly Decided[] => {
  const thoughts: Decided[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const last = thoughts.at(-1);
    const outcome = last === undefined ? {} : { ...after(last.action), mind: last.memory };
    const now = (seen.now ?? 0) + turn * turnMs;
    thoughts.push(decide(thinker, viewWith({ ...seen, ...outcome, now })));
  }
  return thoughts;
};

const invoked = z.object({
  invoke_artifact: z.object({
    artifact_id: z.string(),
    method: z.string().optional(),
    args: z.array(z.json()),
    max_price: z.number().optional(),
    attach: z
      .object({ scrip: z.number().optional(), artifacts: z.array(z.string()).optional() })
      .default({}),
  }),
});

export const invocation = (action: Json) => invoked.safeParse(action).data?.invoke_artifact;
