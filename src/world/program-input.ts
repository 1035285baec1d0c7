import type { Attachment, Json } from "../kernel/index.ts";

/** What a program is called with: its arguments, and what it sees under these names. */
export type ProgramInput = {
  readonly args: readonly Json[];
  /** The artifact whose program it is. */
  readonly self: string;
  readonly caller: string;
  /** Whoever began the action. */
  readonly origin: string;
  readonly attached: Attachment;
  /** Run time in ms. */
  readonly now: number;
};

/** The input as the engine takes it. */
export const inputJsonOf = ({ args, self, caller, origin, attached, now }: ProgramInput): string =>
  JSON.stringify({ args, self, caller, origin, attached, now });
