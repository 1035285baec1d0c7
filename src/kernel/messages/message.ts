import { asId, type Id } from "../primitives/ids.ts";

/** The address of the operator of the run. The operator is outside of the world. */
export const OPERATOR: Id = asId("operator");

/** The genesis artifact through which agents send messages. */
export const MESSENGER_ID: Id = asId("genesis_messenger");

export const RESETS = ["conversation", "conversation_and_files"] as const;

/** A private message. Its sender and its addressee are principals or the operator. */
export type Message = {
  /** Counted from 1 in each world, so a later message has a larger number. */
  readonly number: number;
  readonly atMs: number;
  readonly from: Id;
  readonly to: Id;
  readonly text: string;
  /** The number of the message that this one answers, or null. */
  readonly replyTo: number | null;
  /** The number of the message that the sender hands on with this one, or null. */
  readonly forwards: number | null;
  /** Who asked before the sender, the first one first. Empty unless the message hands one on. */
  readonly path: readonly Id[];
  /** The number of the first message of the thread. */
  readonly thread: number;
  /** The scrip that came with the message. It is in the account of the addressee already. */
  readonly scrip: number;
  /** What the operator wants to reset. Null for a message to read. */
  readonly reset: (typeof RESETS)[number] | null;
};

/** The messages of a principal or of the operator. Each list is sorted by number. */
export type Mailbox = {
  readonly owner: Id;
  /** The messages that the owner has not read. `unread_max` limits their number. */
  readonly unread: readonly Message[];
  /** The newest messages that the owner has read. */
  readonly read: readonly Message[];
  /** The newest messages that the owner has sent. */
  readonly sent: readonly Message[];
  /** When the owner has sent its newest messages. As many as a window may have. */
  readonly sentAtMs: readonly number[];
  /** The senders whose messages are refused. */
  readonly blocked: readonly Id[];
};
