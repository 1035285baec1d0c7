import { z } from "zod";
import type { Retention } from "../../mind/index.ts";
import type { ChatMessage, Frozen } from "../../model/index.ts";

const count = z.int().min(0);

/**
 * A text that a plugin added to a message. Calls of the model are counted from 1. The text is sent
 * in the calls `from` to `to`. `turn`: until the turn ends. Null: for good.
 */
export const addedText = z.object({
  plugin: z.string(),
  text: z.string(),
  from: count,
  to: z.union([count, z.literal("turn"), z.null()]),
});
export type AddedText = Frozen<z.infer<typeof addedText>>;

/** The texts that plugins added, by the number of their message. */
export type AddedTexts = { readonly [message: string]: readonly AddedText[] };

/** How long a text stays in the conversation after the call for which it was made. */
export const retention = z.union([z.boolean(), z.literal("turn"), z.int().min(0).max(10_000)]);

export type PluginText = {
  readonly text: string;
  /**
   * The later calls of the model that have the text. A number: this many. `turn`: those of this
   * turn. True: all, as long as the message stays. False: none.
   */
  readonly keep: Retention;
  /** False: not in the call for which it was made. */
  readonly show: boolean;
};

/** A text as it is kept, if it is made for the call `call`. Null if no call would send it. */
export const addedAt = (
  call: number,
  plugin: string,
  { text, keep, show }: PluginText,
): AddedText | null => {
  const from = show ? call : call + 1;
  const to = keep === true ? null : keep === "turn" ? keep : call + Number(keep);
  const isSent = text !== "" && (typeof to !== "number" || to >= from);
  return isSent ? { plugin, text, from, to } : null;
};

/** Drops texts. Returns the same object if all of them stay. */
const filtered = (added: AddedTexts, isKept: (text: AddedText) => boolean): AddedTexts => {
  const all = Object.entries(added);
  if (all.every(([, texts]) => texts.every(isKept))) return added;
  const kept = all.map(([number, texts]) => [number, texts.filter(isKept)] as const);
  return Object.fromEntries(kept.filter(([, texts]) => texts.length > 0));
};

/** The texts that the call `call` or a later one sends. */
export const keptAt = (added: AddedTexts, call: number): AddedTexts =>
  filtered(added, ({ to }) => typeof to !== "number" || to >= call);

/** The texts that outlive a turn. */
export const keptAfterTurn = (added: AddedTexts): AddedTexts =>
  filtered(added, ({ to }) => to !== "turn");

/** The last message with each list of texts, because a message is measured once. */
const known = new WeakMap<
  readonly AddedText[],
  { readonly message: ChatMessage; readonly count: number; readonly sent: ChatMessage }
>();

/** A message as the call `call` sends it. */
export const withTexts = (
  message: ChatMessage,
  added: readonly AddedText[] | undefined,
  call: number,
): ChatMessage => {
  if (added === undefined || message.role === "assistant") return message;
  const shown = added.filter(({ from }) => from <= call);
  if (shown.length === 0) return message;
  const last = known.get(added);
  if (last?.message === message && last.count === shown.length) return last.sent;
  const sent = withEnd(message, shown.map(({ text }) => text).join("\n\n"));
  known.set(added, { message, count: shown.length, sent });
  return sent;
};

const withEnd = (message: ChatMessage, end: string): ChatMessage => {
  if (message.role === "user") return { ...message, text: `${message.text}\n\n${end}` };
  if (message.role === "assistant") return message;
  // Providers want nothing between a call and its result.
  const results = message.results.map((result, at) =>
    at < message.results.length - 1 ? result : { ...result, text: `${result.text}\n\n${end}` },
  );
  return { ...message, results };
};
