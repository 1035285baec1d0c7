import type { Id } from "./ids.ts";
import * as is from "./shape.ts";

/** When an event happened, in ms of run time, and the principal that caused it. */
export type Stamp = { readonly at_ms: number; readonly principal: Id | null };

/** Stands for every agent among the names of those that an event concerns. */
export const EVERYONE = Symbol("everyone");

/** Whom an event concerns: agents, or artifacts, which stand for the nearest agent that owns them. */
export type Names = readonly (Id | null | undefined | typeof EVERYONE)[];

/** What the public learns of an event, besides its kind, its time and its principal. */
const PUBLIC_FACTS = {
  target: is.nullable(is.text),
  /** The called method of `target`, or null. */
  method: is.nullable(is.text),
  other: is.nullable(is.text),
  /** Amount that was moved, paid or awarded, or null. */
  amount: is.nullable(is.finite),
  code: is.nullable(is.text),
};
export type PublicFacts = is.RecordOf<typeof PUBLIC_FACTS>;

/** A public fact: who did what to what. Contains no prompts, thoughts, state or content. */
export const PUBLIC_EVENT = {
  /** Number of this public event, counted from 1. */
  n: is.amount,
  at_ms: is.amount,
  kind: is.text,
  principal: is.nullable(is.id),
  ...PUBLIC_FACTS,
};
export type PublicEvent = is.RecordOf<typeof PUBLIC_EVENT>;

/** All that the kernel knows of a kind of event. `Tables` are those that the event changes. */
export type EventRow<Tables, Fields> = {
  /** For the table in `docs/dev/journal.md`. */
  readonly about: string;
  /** Applies the event to the state in place. Absent: other events say what changes. */
  readonly evolve?: (state: Tables, event: Stamp & Readonly<Fields>) => void;
  /** Whom the event concerns, in the state before it. Absent: no agent. */
  readonly concerns?: (event: Stamp & Readonly<Fields>, state: Tables) => Names;
  /** What of the event is public. Absent or null: nothing. */
  readonly facts?: (event: Stamp & Readonly<Fields>) => Partial<PublicFacts> | null;
  /** True if another event of the transaction tells the same to the agents that it concerns. */
  readonly isToldElsewhere?: (event: Stamp & Readonly<Fields>) => boolean;
  /** True for events that calls and reads cause without paying or changing anything. */
  readonly isRead?: true;
  /** Never set. It holds the type of the fields. */
  readonly takes?: (fields: Fields) => void;
};

/** Makes the rows of a room: `const row = rowsOf<MintTables>()`, then `row<{ price: number }>(…)`. */
export const rowsOf =
  <Tables>() =>
  <Fields>(row: EventRow<Tables, Fields>): EventRow<Tables, Fields> =>
    row;

type FieldsOf<Row> = Row extends { readonly takes?: (fields: infer Fields) => void }
  ? Fields
  : never;

/** The events of a table of rows, or those of some of its kinds. */
export type EventIn<Rows, Kinds extends keyof Rows = keyof Rows> = {
  [Kind in Kinds]: Stamp & { readonly kind: Kind } & Readonly<FieldsOf<Rows[Kind]>>;
}[Kinds];
