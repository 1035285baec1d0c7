import { cutText, type Id } from "../../kernel/index.ts";
import type { MemoryStore, Recall, Recalled } from "./memory-store.ts";

const TEXT_UNITS_MAX = 600;
const CUT_MARK = "…";
/** An agent does the same over and over: so many times more are looked through for others. */
const REPEATS_FACTOR = 4;

export type ActionMemory = {
  readonly agent: Id;
  /** The kind of action, as in `write_artifact`. */
  readonly action: string;
  /** What it was about, and what came of it. */
  readonly details: string;
  readonly success: boolean;
};

/** How an action is remembered: one line, bounded. */
export const actionMemory = ({ agent, action, details, success }: ActionMemory): string => {
  const outcome = success ? "it succeeded" : "it failed";
  const line = `Agent ${agent} performed ${action}: ${oneLine(details)}`;
  return `${cut(line, TEXT_UNITS_MAX - outcome.length - 3)} (${outcome})`;
};

const FRAME = /^Agent \S+ performed [^\s:]+[\s:]+/;

/**
 * What of a memory is embedded: not the frame that all memories of actions share, which would make
 * them alike. (Of the memories that bear on a question, one in ten more is found that way.)
 */
export const tellingPart = (text: string): string => text.replace(FRAME, "") || text;

/** How something that an agent noticed is remembered. */
export const observationMemory = (text: string): string => cut(oneLine(text), TEXT_UNITS_MAX);

/**
 * The memories of an agent that bear on `context`, best first; of those with one text only the
 * newest of the best.
 */
export const relevantMemories = async (
  store: MemoryStore,
  agent: Id,
  { context, limit }: { readonly context: string; readonly limit: number },
): Promise<Recall> => {
  if (limit < 1) return { ok: true, found: [] };
  const recall = await store.search(agent, context, limit * REPEATS_FACTOR);
  if (!recall.ok) return recall;
  const byText = new Map<string, Recalled>();
  for (const each of recall.found) if (!byText.has(each.text)) byText.set(each.text, each);
  return { ok: true, found: [...byText.values()].slice(0, limit) };
};

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const cut = (text: string, unitsMax: number): string =>
  text.length <= unitsMax ? text : `${cutText(text, unitsMax - 1)}${CUT_MARK}`;
