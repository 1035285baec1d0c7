import { z } from "zod";
import { canonical, type Json } from "../../kernel/index.ts";
import { fnv1a } from "../fnv1a.ts";
import type { Scope } from "./scope.ts";
import { builtInOf, initialStateOf, outputOf, type Workflow } from "./workflow-schema.ts";

/** What is kept of one output: its value, and the iteration in which it was set. */
type Kept = { readonly at: number; readonly value: Json };

/** What a workflow keeps between iterations. */
export type WorkflowMemory = {
  /** How often it has run. */
  readonly iteration: number;
  readonly state: string | null;
  readonly counters: { readonly [name: string]: number };
  readonly context: { readonly [name: string]: Kept };
};

/** What the journal carries of it at the most, in characters of JSON. */
const MEMORY_CHARS_MAX = 16_000;

const count = z.int().min(0);
const memorySchema = z.strictObject({
  of: z.int(),
  iteration: count,
  state: z.string().nullable(),
  counters: z.record(z.string(), z.int()),
  context: z.record(z.string(), z.strictObject({ at: count, value: z.json() })),
});

/**
 * A number that is another one for a workflow of another build: other states, or other steps by
 * name, type and output. Prompts and conditions may change, and the memory still means the same.
 */
const markOf = ({ states = [], steps }: Workflow): number =>
  fnv1a(
    canonical([
      states,
      steps.map((step) => [step.name, step.type, outputOf(step), builtInOf(step)]),
    ]),
  );

const freshMemory = (workflow: Workflow): WorkflowMemory => ({
  iteration: 0,
  state: initialStateOf(workflow),
  counters: {},
  context: {},
});

/**
 * What was kept, as the journal gives it back. Whatever does not come from this workflow, or could
 * not, begins anew: an agent's configuration may be rewritten between any two thoughts.
 */
export const readMemory = (workflow: Workflow, scope: Scope, memory: Json): WorkflowMemory => {
  const read = memorySchema.safeParse(memory);
  if (!read.success || read.data.of !== markOf(workflow)) return freshMemory(workflow);
  const { iteration, state, counters, context } = read.data;
  const known = workflow.states ?? [];
  const isLost = state === null ? known.length > 0 : !known.includes(state);
  if (isLost || iteration >= Number.MAX_SAFE_INTEGER) return freshMemory(workflow);
  const names = scope.get("counters")?.fields ?? [];
  return {
    iteration,
    state,
    counters: only(counters, (name) => names.includes(name)),
    context: only(context, (name) => scope.get(name)?.persists === true),
  };
};

const only = <T>(
  record: { readonly [name: string]: T },
  keeps: (name: string) => boolean,
): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(record).filter(([name]) => keeps(name)));

/** The same for the journal. What was set longest ago is dropped until the rest is small enough. */
export const writtenMemory = (
  workflow: Workflow,
  memory: WorkflowMemory,
): { readonly memory: Json; readonly dropped: readonly string[] } => {
  const context = new Map(Object.entries(memory.context));
  const written = () => ({
    of: markOf(workflow),
    ...memory,
    context: Object.fromEntries(context),
  });
  const dropped: string[] = [];
  const oldestFirst = [...context].toSorted(([, a], [, b]) => a.at - b.at);
  for (const [name] of oldestFirst) {
    if (JSON.stringify(written()).length <= MEMORY_CHARS_MAX) break;
    context.delete(name);
    dropped.push(name);
  }
  return { memory: written(), dropped };
};
