import type { Breakdown, Refusal, Reply, ServedUsage } from "./answer.ts";
import type { AsEvents } from "./event-streams.ts";

export type Body = Readonly<Record<string, unknown>>;

/** How one provider writes what it says. */
export type Wire = {
  /** What is read of a request. */
  read(body: Body): { readonly system: string; readonly prompt: string };
  reply(reply: Reply, model: string): unknown;
  refusal(refusal: Refusal): unknown;
  /** A breakdown that comes as a well-formed reply. */
  breakdown(breakdown: Breakdown, model: string): unknown;
  /** A reply as a stream. */
  readonly events: AsEvents;
};

const TEN_EACH: ServedUsage = { input: 10, output: 10 };

/**
 * The usage of a reply in a provider's words, or nothing where it reports none. `write` gets every
 * number.
 */
export const usageIn = (
  { usage = TEN_EACH }: Reply,
  write: (usage: Required<ServedUsage>) => Body,
): Body | undefined => {
  if (usage === "none") return undefined;
  const given = usage === "strings" ? TEN_EACH : usage;
  const written = write({ cached: 0, cacheWrite: 0, reasoning: 0, ...given });
  return usage === "strings" ? asStrings(written) : written;
};

const asStrings = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === "number" ? String(value) : value,
    ]),
  );

/** Text of a message, whose content may be text or parts. */
export const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: unknown }) => String(part.text ?? "")).join("");
};

type Message = { readonly role?: unknown; readonly content?: unknown };

/** System and user text of a list of messages. */
export const spokenIn = (
  messages: unknown,
): { readonly system: string; readonly prompt: string } => {
  const all: readonly Message[] = Array.isArray(messages) ? messages : [];
  const isSystem = ({ role }: Message): boolean => role === "system" || role === "developer";
  const joined = (some: readonly Message[]): string =>
    some.map(({ content }) => textOf(content)).join("\n");
  return {
    system: joined(all.filter(isSystem)),
    prompt: joined(all.filter((message) => !isSystem(message))),
  };
};
