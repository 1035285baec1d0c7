import { type Deed, type MemoryNote, type Self, workingMemoryId } from "../../kernel/index.ts";
import {
  actionMemory,
  observationMemory,
  renderWorkingMemory,
  withRecords,
  workingMemoryOf,
} from "../memory/index.ts";
import type { Recollect } from "../mind.ts";
import type { MindSettings } from "./mind-settings.ts";
import type { MemoryBackend } from "./recalling.ts";

/** How an agent takes what it has lived through into its memory; null where it never recalls. */
export const recollectionOf = (
  settings: MindSettings,
  backend: MemoryBackend,
): Recollect | null => {
  if (!settings.rag.enabled || backend.kind === "none") return null;
  return (self, said) => {
    const notes = notesOf(self, said, settings);
    const text = backend.kind === "artifact" ? textWith(self, notes, backend.bytesMax) : null;
    return { notes, text };
  };
};

/** The deeds that an agent has not yet taken into its memory, as far as it still knows them. */
const unremembered = ({ agent: { deeds, counters, memories } }: Self): readonly Deed[] => {
  const acted = deeds.filter(({ action }) => action !== "think");
  const missing = Math.min(acted.length, counters.actions - memories.through);
  return missing <= 0 ? [] : acted.slice(-missing);
};

const notesOf = (
  self: Self,
  said: readonly string[],
  { workingMemory }: MindSettings,
): readonly MemoryNote[] => {
  const { id } = self.agent;
  const deeds = unremembered(self);
  const notes = deeds.map(({ action, target, method, message, ok }): MemoryNote => {
    const called = [action, target, method].filter((part) => part !== null).join(" ");
    const text = actionMemory({ agent: id, action: called, details: message, success: ok });
    return { kind: "action", text };
  });
  const wroteDown = deeds.some(
    ({ action, target, ok }) =>
      ok && action === "write_artifact" && (target === id || target === workingMemoryId(id)),
  );
  const kept = wroteDown && workingMemory.include_in_rag ? shown(self, workingMemory) : "";
  const seen = [...said, ...(kept === "" ? [] : [kept])];
  return [
    ...notes,
    ...seen.map((text): MemoryNote => ({ kind: "observation", text: observationMemory(text) })),
  ];
};

const shown = (self: Self, settings: MindSettings["workingMemory"]): string => {
  const value = workingMemoryOf(self.content, self.workingMemoryText);
  return value === null ? "" : `Working memory: ${renderWorkingMemory(value, settings)}`;
};

const textWith = (self: Self, notes: readonly MemoryNote[], bytesMax: number): string => {
  const { id: agent, memories, deeds } = self.agent;
  const atMs = deeds.at(-1)?.atMs ?? 0;
  const records = notes.map(({ kind, text }, at) => ({
    agent,
    number: memories.count + at + 1,
    atMs,
    kind,
    text,
  }));
  return withRecords(self.memoryText, records, bytesMax);
};
