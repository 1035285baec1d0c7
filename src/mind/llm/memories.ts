import {
  type ActionRecord,
  cutText,
  isObject,
  type MemoryNote,
  memoryIds,
  type PublicEvent,
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
} from "../../memory/index.ts";
import { untilAborted } from "../../model/index.ts";
import type { Recollect } from "../core/mind.ts";
import {
  isQueryVariable,
  type MindSettings,
  QUERY_SLOT,
  type QueryVariable,
  type RagSettings,
} from "../core/settings.ts";

/** Returns memories for a prompt, best first. Empty if the search fails or `signal` aborts. */
export const recallFor = async (
  { view, signal }: { readonly view: View; readonly signal: AbortSignal },
  rag: RagSettings,
  memory: AgentMemory | null,
): Promise<readonly Recalled[]> => {
  if (!rag.enabled || rag.limit === 0 || memory === null) return [];
  const { id, memories, agent, now: nowMs } = view;
  const query = { memories, text: queryFor(view, rag.query_template), limit: rag.limit, nowMs };
  const shown = new Set(agent.actions.map((action) => actionMemory(id, action)));
  const found = relevantMemories(memory, query, shown);
  return untilAborted(found, signal, () => []);
};

const NAMES_SHOWN = 10;

/** Fills in the variables of `rag.query_template`. */
const queryFor = (view: View, template: string): string =>
  template.replace(QUERY_SLOT, (slot, name: string) =>
    isQueryVariable(name) ? QUERY_VALUES[name](view) : slot,
  );

const QUERY_VALUES: { readonly [V in QueryVariable]: (view: View) => string } = {
  agent_id: ({ id }) => id,
  balance: ({ account }) => String(account.scrip),
  now_s: ({ now }) => String(Math.floor(now / 1000)),
  my_artifacts: ({ owned }) => names(owned.map(({ id }) => id)),
  other_agents: ({ principals }) => names(principals),
  last_action: ({ agent: { last } }) => (last === null ? "none" : outcomeOf(last)),
  last_result: ({ agent: { last } }) => cutText(last?.result ?? "none", RESULT_CHARS),
  goal: ({ content, workingMemoryText }) => {
    const memory = workingMemoryOf(content, workingMemoryText);
    const goal = isObject(memory) ? memory.current_goal : null;
    return typeof goal === "string" ? cutText(goal, GOAL_CHARS) : "none";
  },
  inbox: ({ inbox }) => names(inbox.recent.slice(-EVENTS_SHOWN).map(newsOf)),
};

const RESULT_CHARS = 150;
const GOAL_CHARS = 150;
const EVENTS_SHOWN = 3;

const newsOf = ({ kind, principal, target, method }: PublicEvent): string =>
  [principal, kind, target, method].filter((part) => part !== null).join(" ");

const outcomeOf = ({ action, target, ok, message }: ActionRecord): string =>
  `${action} ${target ?? ""} ${ok ? "succeeded" : "failed"}: ${message}`;

const names = (ids: readonly string[]): string =>
  ids.length === 0 ? "none" : ids.slice(0, NAMES_SHOWN).join(", ");

type Recollected = { readonly withoutNoops: boolean };

export const recollectionOf = (
  settings: MindSettings,
  memory: AgentMemory | null,
  { withoutNoops }: Recollected = { withoutNoops: false },
): Recollect | null => {
  if (!settings.rag.enabled || memory === null) return null;
  return (self, said) => {
    const acted = unremembered(self);
    const actions = withoutNoops ? acted.filter(({ action }) => action !== "noop") : acted;
    const notes = notesOf(self, { said, actions }, settings);
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

type Told = { readonly said: readonly string[]; readonly actions: readonly ActionRecord[] };

const notesOf = (
  self: Self,
  { said, actions }: Told,
  { workingMemory }: MindSettings,
): readonly MemoryNote[] => {
  const { id } = self.agent;
  const notes = actions.map(
    (action): MemoryNote => ({ kind: "action", text: actionMemory(id, action) }),
  );
  const wroteMemory = actions.some(
    ({ action, target, ok }) =>
      ok && action === "write_artifact" && (target === id || target === memoryIds(id).working),
  );
  const written = wroteMemory ? workingMemoryOf(self.content, self.workingMemoryText) : null;
  const seen = [...said, ...workingMemoryNotes(written, workingMemory)];
  return [
    ...notes,
    ...seen.map((text): MemoryNote => ({ kind: "observation", text: observationMemory(text) })),
  ];
};

/** Returns the note of a new version of working memory, if the settings ask for one. */
export const workingMemoryNotes = (
  version: unknown,
  settings: MindSettings["workingMemory"],
): readonly string[] => {
  const { enabled, include_in_rag } = settings;
  const isNoted = enabled && include_in_rag && version !== null;
  return isNoted ? [`Working memory: ${renderWorkingMemory(version, settings)}`] : [];
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
