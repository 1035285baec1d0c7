import { must } from "./errors.ts";
import { type EventIn, rowsOf } from "./event.ts";
import { PHYSICS, type Physics } from "./physics.ts";
import * as is from "./shape.ts";
import type { Table } from "./tables.ts";

/** The values that exist once per world. Each room of the kernel adds its own to this one row. */
export const CORE_ROW = {
  physics: PHYSICS,
  /** The run time of the latest event, in ms. */
  now: is.amount,
  prng: is.integers(4),
};
type CoreRow = is.RecordOf<typeof CORE_ROW>;

/**
 * The tables that every room may use. Each room extends the tables of the rooms below it by its
 * own, and its functions take these as `state`. So no room can use a table of a room above it.
 */
export interface CoreTables {
  readonly world: Table<"world", CoreRow>;
}

type WithWorld<Row> = { readonly world: Table<"world", Row> };

export const worldRow = <Row>(state: WithWorld<Row>): Row =>
  must(state.world.get("world"), "the world must be created first");

/** Changes values of the world. Only `evolve` of an event may do so. */
export const changeWorld = <Row>(state: WithWorld<Row>, change: NoInfer<Partial<Row>>): void =>
  state.world.put("world", { ...worldRow(state), ...change });

export const physicsOf = (state: CoreTables): Physics => worldRow(state).physics;

export const CORE_EVENTS = {
  random_drawn: rowsOf<CoreTables>()<{ draws: number; prng: readonly number[] }>({
    about: "programs drew random numbers; the event has the new state of the generator",
    evolve: (state, { prng }) => changeWorld(state, { prng }),
  }),
};
export type CoreEvent = EventIn<typeof CORE_EVENTS>;
