import type { Hold } from "./account.ts";
import type { Event, EventOf } from "./event.ts";
import { asHoldId, type HoldId } from "./ids.ts";
import { type State, wholeOf } from "./state.ts";
import { type Subject, stamp } from "./subject.ts";

type Promised = Pick<Hold, "purpose" | "amount">;

/** The events that set a sum aside, and the name under which it stands from then on. */
type Holding<E extends Event> = { readonly hold: HoldId; readonly event: E };

/** The next free name; `before` is how many the same decision has taken already. */
const nextHold = (state: State, { purpose }: Promised, before = 0): HoldId =>
  asHoldId(`${purpose.kind}:${wholeOf(state).holdsMade + 1 + before}`);

/** Sets scrip of the actor's account aside; that it is there, whoever asks has looked. */
export const holdFor = (
  state: State,
  by: Subject,
  { purpose, amount }: Promised,
): Holding<EventOf<"scrip_held">> => {
  const hold = nextHold(state, { purpose, amount });
  const event = {
    ...stamp(by),
    kind: "scrip_held",
    hold,
    from: by.actor,
    amount,
    purpose,
  } as const;
  return { hold, event };
};

type Split = Promised & {
  readonly when: Pick<Event, "at_ms" | "principal">;
  readonly from: HoldId;
  /** How many holds the same decision makes before this one. */
  readonly before?: number;
};

/** Splits a part off what is held already. */
export const splitFor = (
  state: State,
  { when, from, before = 0, ...part }: Split,
): Holding<EventOf<"hold_split">> => {
  const into = nextHold(state, part, before);
  return { hold: into, event: { ...when, kind: "hold_split", hold: from, into, ...part } };
};
