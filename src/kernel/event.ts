import { ACCESS_EVENTS } from "./access/access.ts";
import { ACTION_EVENTS } from "./action/events.ts";
import { AGENT_EVENTS } from "./agent/events.ts";
import { COMPUTE_EVENTS } from "./compute/events.ts";
import { type EventIn, type EventRow, rowsOf } from "./core/event.ts";
import type { Physics } from "./core/physics.ts";
import { CORE_EVENTS } from "./core/world.ts";
import { LEDGER_EVENTS } from "./ledger/events.ts";
import { LOOP_EVENTS } from "./loop/events.ts";
import { MESSAGE_EVENTS } from "./messages/events.ts";
import { MINT_EVENTS } from "./mint/events.ts";
import { SCHEDULE_EVENTS } from "./schedule/schedule.ts";
import { SETUP_EVENTS } from "./setup/setup.ts";
import { createWorld, type State } from "./state.ts";

/**
 * All kinds of events, each with all that the kernel knows of it: its fields, what it changes, whom
 * it concerns and what of it is public. A kind has its row in the room that it belongs to.
 */
export const EVENTS = {
  world_created: rowsOf<State>()<{ physics: Physics }>({
    about: "a world was created; the event has its limits, costs and seed",
    evolve: (state, { physics, at_ms }) => createWorld(state, physics, at_ms),
  }),
  ...SETUP_EVENTS,
  ...SCHEDULE_EVENTS,
  ...CORE_EVENTS,
  ...ACTION_EVENTS,
  ...ACCESS_EVENTS,
  ...LEDGER_EVENTS,
  ...COMPUTE_EVENTS,
  ...MINT_EVENTS,
  ...AGENT_EVENTS,
  ...LOOP_EVENTS,
  ...MESSAGE_EVENTS,
};

/**
 * A fact about the world. Journals and agents receive events, so the keys are those of the wire
 * format. `principal` caused the event, directly or through code that it invoked. `principal` is
 * null if the world itself caused the event. `by` and `caller` are the immediate actors.
 */
export type Event = EventFor<EventKind>;
export type EventKind = keyof typeof EVENTS;
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>;
/** The same type as `EventOf`, in a form that lets TypeScript index a table by event kind. */
export type EventFor<K extends EventKind> = EventIn<typeof EVENTS, K>;

const ROWS: { readonly [K in EventKind]: EventRow<State, EventFor<K>> } = EVENTS;

/** The row of an event's kind. Undefined for an unknown kind in a foreign journal. */
export const rowOf = <K extends EventKind>(
  event: EventFor<K>,
): EventRow<State, EventFor<K>> | undefined =>
  Object.hasOwn(ROWS, event.kind) ? ROWS[event.kind] : undefined;

export const ACTION_ENDS = ["action_completed", "action_refused"] as const;

export const endsAction = <E extends { readonly kind: string }>(
  event: E,
): event is E & { readonly kind: (typeof ACTION_ENDS)[number] } =>
  ACTION_ENDS.some((kind) => kind === event.kind);
