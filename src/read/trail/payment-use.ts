import type { Event, EventOf } from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { lastEvent, type SeqEvent } from "./past-events.ts";

/** The call or the read that a payment belongs to. `method` is null for a read. */
export type Use = NonNullable<ReturnType<typeof useIn>>;

const useIn = (event: SeqEvent) => {
  const { seq, kind } = event;
  if (kind !== "artifact_invoked" && kind !== "artifact_read") return null;
  const [method, caller] =
    kind === "artifact_read" ? [null, event.by] : [event.method, event.caller];
  return { seq, kind, artifact: String(event.artifact_id), method, caller, price: event.price };
};

/**
 * Finds the call or the read behind a payment among the later events of its transaction. The event
 * of a call comes at its end, after those of the calls and reads that the program made.
 */
export const useBehind = (
  journal: JournalReader,
  moved: SeqEvent,
  after: readonly SeqEvent[],
): Use | null => {
  if (!isPayment(moved)) return null;
  const uses = after.map(useIn).filter((use) => use !== null);
  const paid = moved.kind === "scrip_burned" ? undefined : moved.artifact_id;
  if (paid === undefined) return callOf(uses, programIn(journal, moved));
  if (moved.reason === "read_price") return readAmong(uses, paid);
  return moved.reason === "access"
    ? accessAmong(uses, paid, programIn(journal, moved))
    : callOf(uses, paid);
};

type Payment = EventOf<"scrip_transferred" | "hold_spent" | "scrip_burned">;

const isPayment = (event: Event): event is Payment =>
  event.kind === "scrip_transferred" ||
  event.kind === "hold_spent" ||
  event.kind === "scrip_burned";

/** A program cannot be called while it runs, so the first call that ends is the right one. */
const callOf = (uses: readonly Use[], program: string | null): Use | null =>
  uses.find(({ kind, artifact }) => kind === "artifact_invoked" && artifact === program) ?? null;

const readAmong = (uses: readonly Use[], read: string): Use | null =>
  uses.find(({ kind, artifact }) => kind === "artifact_read" && artifact === read) ?? null;

/** A fee for a read is next to the read. Any other read is by the called program. */
const accessAmong = (uses: readonly Use[], paid: string, payer: string | null): Use | null => {
  const [next] = uses;
  const read = next?.artifact === paid && next.kind === "artifact_read" ? next : null;
  if (read?.caller === payer) return read;
  return callOf(uses, paid) ?? read;
};

/** The account or the program that paid. For a charge, the program that charged the account. */
const programIn = (
  journal: JournalReader,
  moved: Payment & { readonly seq: number },
): string | null => {
  if (moved.kind !== "hold_spent") {
    return moved.kind === "scrip_transferred" && moved.reason === "charge" ? moved.to : moved.from;
  }
  const held = lastEvent(journal, {
    upTo: moved.seq,
    kinds: ["scrip_held", "hold_split"],
    fits: (event) => (event.kind === "scrip_held" ? event.hold : event.into) === moved.hold,
  });
  return held?.purpose.kind === "purse" ? held.purpose.artifact : null;
};
