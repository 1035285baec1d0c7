import type { ActionDecision } from "../action/events.ts";
import type { Interface } from "../artifact/artifact.ts";
import type { Evidence } from "../core/decision.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Physics } from "../core/physics.ts";
import type { Payment } from "../ledger/payment.ts";
import type { Subject } from "../ledger/subject.ts";
import type { SearchTables } from "../search/query.ts";

/** A call of a native method. The arguments fit the method's schema. */
export type NativeCall = Evidence & {
  readonly by: Subject;
  readonly args: readonly Json[];
  /** Attached scrip, which the method itself moves. Always 0 unless `takesScrip` is set. */
  readonly scrip: number;
  /** Costs of the method, paid outside `decide`. Checks of funds in `decide` include the costs. */
  readonly fees: readonly Payment[];
  readonly max_price: number | null;
};

export type Example = { readonly args: readonly Json[]; readonly result: Json };

/** When the examples happen, in ms of run time. Those of the mint wait for an open auction. */
export const EXAMPLES_AT_MS = 100_000;

/** The number of agents in the world of the examples. They have existed since the start. */
export const EXAMPLE_AGENTS = 3;

/** A method that the kernel implements. Also used to generate the handbook and `describe`. */
export type NativeMethod = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  /** What calls return in a world with these settings. The handbook shows them as stories. */
  readonly examples: (physics: Physics) => readonly Example[];
  /** Whether a world has the method. Absent: every world has it. */
  readonly offered?: (physics: Physics) => boolean;
  /** Set if the method can change the world. Access contracts may not call such a method. */
  readonly writes?: true;
  readonly takesScrip?: true;
  /** How a caller gives scrip to a method without `takesScrip`. Its refusal of scrip says this. */
  readonly scripCure?: string;
  /**
   * The scrip that a call moves or lets others take, besides its cost and its attached scrip.
   * Infinity: without a limit. Absent: none.
   */
  readonly spends?: (args: readonly Json[], physics: Physics) => number;
  readonly decide: (state: SearchTables, call: NativeCall) => ActionDecision;
};

/** Methods by name, in the order of the handbook. */
export type NativeMethods = { readonly [name: string]: Omit<NativeMethod, "name"> };

export const named = (methods: NativeMethods): readonly NativeMethod[] =>
  Object.entries(methods).map(([name, method]) => ({ name, ...method }));

export type NativeArtifact = {
  readonly id: string;
  readonly description: string;
  readonly methods: readonly NativeMethod[];
};

/** Returns the methods that a world with these settings has. */
export const methodsIn = (physics: Physics, { methods }: NativeArtifact): readonly NativeMethod[] =>
  methods.filter(({ offered }) => offered?.(physics) ?? true);

/** The interface of a native artifact in a world with these settings. */
export const interfaceOf = (native: NativeArtifact, physics: Physics): Interface => ({
  description: native.description,
  methods: methodsIn(physics, native).map(({ name, description, input_schema, examples }) => ({
    name,
    description,
    input_schema,
    examples: examples(physics),
  })),
});

export const costOf = ({ genesis }: Physics, native: string, method: string): number =>
  genesis.costs[native]?.[method] ?? 0;

export const countArg = (arg: Json | undefined): number => (typeof arg === "number" ? arg : 0);

export const textArg = (arg: Json | undefined): string => (typeof arg === "string" ? arg : "");

/** A schema of positional arguments. It has one property per argument, in order. */
export const takes = (
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): JsonObject => ({ type: "object", properties, required });

export const ID_SCHEMA: JsonObject = { type: "string", maxLength: 128 };
export const AMOUNT_SCHEMA: JsonObject = { type: "integer", minimum: 1 };
