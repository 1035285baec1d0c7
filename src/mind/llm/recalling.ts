import type { Deed, View } from "../../kernel/index.ts";
import {
  type MemoryStore,
  type Recalled,
  relevantMemories,
  searchRecords,
} from "../memory/index.ts";
import type { RagSettings } from "../settings.ts";

/** Where an agent's memories are: in an index, in its own memory artifact, or nowhere. */
export type MemoryBackend =
  | { readonly kind: "none" }
  | { readonly kind: "artifact"; readonly bytesMax: number }
  | { readonly kind: "index"; readonly store: MemoryStore };

/**
 * What an agent recalls for its next decision, nearest first. Trouble with the store is told by the
 * store itself, and then nothing comes to mind, as little as when the thought is given up.
 */
export const recallFor = async (
  { view, signal }: { readonly view: View; readonly signal: AbortSignal },
  rag: RagSettings,
  backend: MemoryBackend,
): Promise<readonly Recalled[]> => {
  if (!rag.enabled || rag.limit === 0) return [];
  const query = queryFor(view, rag.query_template);
  switch (backend.kind) {
    case "none":
      return [];
    case "artifact": {
      const limit = rag.limit * SEARCHED_TIMES;
      const about = { agent: view.id, limit, nowMs: view.now };
      return distinct(searchRecords(view.memoryText, query, about), rag.limit);
    }
    case "index": {
      const about = { context: query, limit: rag.limit };
      const recall = await unlessGivenUp(relevantMemories(backend.store, view.id, about), signal);
      return recall?.ok === true ? recall.found : [];
    }
  }
};

/** Null as soon as the signal is aborted. */
const unlessGivenUp = <Given>(given: Promise<Given>, signal: AbortSignal): Promise<Given | null> =>
  new Promise((resolve) => {
    const giveUp = (): void => resolve(null);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    void given.then(resolve).finally(() => signal.removeEventListener("abort", giveUp));
  });

/** So many times more are found than shown, since some say the same. */
const SEARCHED_TIMES = 4;

/** The first so many that say different things. */
const distinct = (found: readonly Recalled[], limit: number): readonly Recalled[] => {
  const said = new Map<string, Recalled>();
  for (const each of found) if (!said.has(each.text)) said.set(each.text, each);
  return [...said.values()].slice(0, limit);
};

const NAMES_SHOWN = 10;

/** `rag.query_template` with its variables filled in; what is no variable stays as it is. */
const queryFor = (view: View, template: string): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    switch (name) {
      case "agent_id":
        return view.id;
      case "balance":
        return String(view.account.scrip);
      case "now_s":
        return String(Math.floor(view.now / 1000));
      case "my_artifacts":
        return names(view.owned.map(({ id }) => id));
      case "other_agents":
        return names(view.principals);
      case "last_action":
        return view.agent.last === null ? "none" : told(view.agent.last);
      default:
        return whole;
    }
  });

const told = ({ action, target, ok, message }: Deed): string =>
  `${action} ${target ?? ""} ${ok ? "succeeded" : "failed"}: ${message}`;

const names = (ids: readonly string[]): string =>
  ids.length === 0 ? "none" : ids.slice(0, NAMES_SHOWN).join(", ");
