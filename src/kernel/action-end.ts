import type { EventKind, EventOf } from "./event.ts";

/** With one of these each action ends, whoever acts. */
export const ACTION_ENDS = ["action_completed", "action_refused"] as const;

export type ActionEnd = EventOf<(typeof ACTION_ENDS)[number]>;

const KINDS: ReadonlySet<string> = new Set<EventKind>(ACTION_ENDS);

export const endsAction = <E extends { readonly kind: string }>(
  event: E,
): event is E & { readonly kind: ActionEnd["kind"] } => KINDS.has(event.kind);
