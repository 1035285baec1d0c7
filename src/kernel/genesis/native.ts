import type { Decision } from "../decision.ts";
import type { Evidence } from "../evidence.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Payment } from "../payment.ts";
import type { State } from "../state.ts";
import type { Subject } from "../subject.ts";

/** One call of a native method: its arguments already fit its schema. */
export type NativeCall = Evidence & {
  readonly by: Subject;
  readonly args: readonly Json[];
  /** Scrip attached; 0 unless the method takes some. The method itself moves it. */
  readonly scrip: number;
  /** The cost of the method, to be affordable together with what the method itself pays. */
  readonly fees: readonly Payment[];
  readonly max_price: number | null;
};

/** Physics that is reached like an artifact. The handbook and `describe` are made from this. */
export type NativeMethod = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly examples: readonly { readonly args: readonly Json[]; readonly result: Json }[];
  /** True when it can change the world, which an access contract may not. */
  readonly writes: boolean;
  /** True when scrip may be attached to it. */
  readonly takesScrip?: true;
  readonly decide: (state: State, call: NativeCall) => Decision;
};

export type NativeArtifact = {
  readonly id: string;
  readonly description: string;
  readonly methods: readonly NativeMethod[];
};

/** An argument that the schema has found to be text; no text where it was left out. */
export const textArg = (arg: Json | undefined): string => (typeof arg === "string" ? arg : "");

/** A schema of positional arguments: each property is one, in order. */
export const takes = (
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): JsonObject => ({ type: "object", properties, required });

export const ID_SCHEMA: JsonObject = { type: "string", maxLength: 128 };
export const AMOUNT_SCHEMA: JsonObject = { type: "integer", minimum: 1 };
