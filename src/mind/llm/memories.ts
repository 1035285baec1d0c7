import {
  type ActionRecord,
  type MemoryNote,
  memoryIds,
  type Self,
  type View,
} from "../../kernel/index.ts";
import {
  type AgentMemory,
  actionMemory,
  type MemoryRecord,
  observationMemory,
  type Recalled,
  relevantMemories,
  renderWorkingMemory,
  workingMemoryOf,
} from "../memory/index.ts";
import type { Recollect } from "../mind.ts";
import { untilAborted } from "../model/index.ts";
import type { RagSettings } from "../settings.ts";
import type { MindSettings } from "./mind-settings.ts";

/** Returns memories for a prompt, nearest first. Empty if the search fails or `signal` aborts. */
export const recallFor = async (
  { view, signal }: { readonly view: View; readonly signal: AbortSignal },
  rag: RagSettings,
  memory: AgentMemory | null,
): Promise<readonly Recalled[]> => {
  if (!rag.enabled || rag.limit === 0 || memory === null) return [];
  const found = relevantMemories(memory, {
    memories: view.memories,
    text: queryFor(view, rag.query_template),
    limit: rag.limit,
    nowMs: view.now,
  });
  return untilAborted(found, signal, () => []);
};

const NAMES_SHOWN = 10;

/** Fills in the variables of `rag.query_template`. Unknown variables stay unchanged. */
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
        return view.agent.last === null ? "none" : outcomeOf(view.agent.last);
      default:
        return whole;
    }
  });

const outcomeOf = ({ action, target, ok, message }: ActionRecord): string =>
  `${action} ${target ?? ""} ${ok ? "succeeded" : "failed"}: ${message}`;

const names = (ids: readonly string[]): string =>
  ids.length === 0 ? "none" : ids.slice(0, NAMES_SHOWN).join(", ");

export const recollectionOf = (
  settings: MindSettings,
  memory: AgentMemory | null,
): Recollect | null => {
  if (!settings.rag.enabled || memory === null) return null;
  return (self, said) => {
    const notes = notesOf(self, said, settings);
    return { notes, text: memory.artifactWith(self.memory?.text ?? "", recordsOf(self, notes)) };
  };
};

const unremembered = ({
  agent: { actions, counters, remembered },
}: Self): readonly ActionRecord[] => {
  const acted = actions.filter(({ action }) => action !== "think");
  const missing = Math.min(acted.length, counters.actions - remembered);
  return missing <= 0 ? [] : acted.slice(-missing);
};

const notesOf = (
  self: Self,
  said: readonly string[],
  { workingMemory }: MindSettings,
): readonly MemoryNote[] => {
  const { id } = self.agent;
  const actions = unremembered(self);
  const notes = actions.map(
    (action): MemoryNote => ({ kind: "action", text: actionMemory(id, action) }),
  );
  const wroteMemory = actions.some(
    ({ action, target, ok }) =>
      ok && action === "write_artifact" && (target === id || target === memoryIds(id).working),
  );
  const kept = wroteMemory && workingMemory.include_in_rag ? shownMemory(self, workingMemory) : "";
  const seen = [...said, ...(kept === "" ? [] : [kept])];
  return [
    ...notes,
    ...seen.map((text): MemoryNote => ({ kind: "observation", text: observationMemory(text) })),
  ];
};

const shownMemory = (self: Self, settings: MindSettings["workingMemory"]): string => {
  const value = workingMemoryOf(self.content, self.workingMemoryText);
  return value === null ? "" : `Working memory: ${renderWorkingMemory(value, settings)}`;
};

const recordsOf = (self: Self, notes: readonly MemoryNote[]): readonly MemoryRecord[] => {
  const { id, actions } = self.agent;
  const { id: artifact, count } = self.memory ?? { id: memoryIds(id).memory, count: 0 };
  const atMs = actions.at(-1)?.atMs ?? 0;
  return notes.map(({ kind, text }, at) => ({
    artifact,
    number: count + at + 1,
    atMs,
    kind,
    text,
  }));
};
