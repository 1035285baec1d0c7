import {
  type Agent,
  asId,
  type Id,
  type Json,
  memoryIds,
  NO_COUNTERS,
  type State,
  windowsLeft,
} from "../../../kernel/index.ts";
import type { ChatMessage } from "../../../model/index.ts";
import { agentFigures, agentStatus, agentsIn } from "../../../read/index.ts";
import { isPausedByOperator } from "../../../run/index.ts";
import { clientMind } from "../../../seats/index.ts";
import { conversationIn, messagesOf } from "../../../tools/index.ts";
import { filesIn } from "../../../tools/kinds.ts";

import type { StateAt } from "../reader/run-reader.ts";

const lineOf = (state: State, agent: Agent, earlier: State) => {
  const { id, counters, due, last } = agent;
  const then = earlier.agents.get(id)?.counters ?? NO_COUNTERS;
  const thoughtsFailed = counters.thoughtsFailed - then.thoughtsFailed;
  const counts = {
    thoughts: counters.thoughts - then.thoughts + thoughtsFailed,
    actions: counters.actions - then.actions,
    succeeded: counters.succeeded - then.succeeded,
  };
  return {
    ...agentFigures(state, agent, counts),
    order: agent.order,
    status: agentStatus(agent),
    paused_by_operator: isPausedByOperator(agent),
    next: due === null ? null : { step: due.step, at_ms: due.atMs },
    thoughts_failed: thoughtsFailed,
    spent_micros: counters.spentMicros - then.spentMicros,
    last:
      last === null
        ? null
        : { action: last.action, target: last.target, method: last.method, ok: last.ok },
  };
};
export type AgentRow = ReturnType<typeof lineOf>;

export const agentRows = ({ state }: StateAt, earlier: State): readonly AgentRow[] =>
  agentsIn(state).map((agent) => lineOf(state, agent, earlier));

export const agentView = ({ state, atMs }: StateAt, name: string, earlier: State) => {
  const id = asId(name);
  const agent = state.agents.get(id);
  if (agent === undefined) return null;
  const artifact = state.artifacts.get(id);
  const memory = artifact?.memoryArtifactId ?? null;
  return {
    ...lineOf(state, agent, earlier),
    in_own_programs: [...state.accounts.rows()]
      .filter((each) => !state.agents.has(each.id) && state.artifacts.get(each.id)?.owner === id)
      .reduce((sum, each) => sum + each.scrip + each.held, 0),
    configuration: artifact?.content ?? "",
    /** `seat` or `cli` if clients move it, else null. */
    client_mind: clientMind(artifact?.content ?? ""),
    pending: agent.pending,
    sleep: agent.sleep,
    mind: agent.mind,
    history: agent.actions,
    failures: agent.failures,
    last_result: agent.last,
    windows: windowsLeft(state, id, atMs),
    memory_artifact: memory === null ? null : (state.artifacts.get(memory)?.content ?? null),
    workspace: workspaceIn(state, id),
    owns: [...state.artifacts.rows()]
      .filter((each) => each.owner === id && each.id !== id && each.deleted === null)
      .map((each) => ({ id: each.id, type: each.type, price: each.price })),
  };
};

/** The files of an agent's workspace, sorted by path. Null if it has no workspace. */
const workspaceIn = (state: State, agent: Id) => {
  const workspace = state.artifacts.get(memoryIds(agent).workspace);
  if (workspace === undefined || workspace.deleted !== null) return null;
  const files = [...filesIn(workspace.content)].map(([path, text]) => ({ path, text }));
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
};

export type AgentView = NonNullable<ReturnType<typeof agentView>>;

/** A message, or one result of a tool. */
export type SaidLine = {
  readonly role: ChatMessage["role"];
  /** The name of the tool that answered, or null. */
  readonly tool: string | null;
  readonly is_error: boolean;
  readonly text: string;
  /** The tools that the message calls. */
  readonly calls: readonly { readonly name: string; readonly args: Json }[];
};

/** The latest `limit` lines of a conversation, oldest first. `total` counts all lines. */
export type ConversationView = { readonly total: number; readonly lines: readonly SaidLine[] };

/** The conversation of an agent with tools, as its mind keeps it. Empty for other minds. */
export const conversationView = (mind: Json, limit: number): ConversationView => {
  const lines = messagesOf(conversationIn(mind)).flatMap(linesOf);
  return { total: lines.length, lines: lines.slice(Math.max(0, lines.length - limit)) };
};

const linesOf = (message: ChatMessage): readonly SaidLine[] => {
  const { role } = message;
  const plain = { role, tool: null, is_error: false, calls: [] };
  if (role === "user") return [{ ...plain, text: message.text }];
  if (role === "tool") {
    return message.results.map(({ name, text, is_error }) => {
      return { ...plain, tool: name, text, is_error };
    });
  }
  const texts = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = message.blocks.flatMap((block) =>
    block.type === "tool_call" ? [{ name: block.name, args: block.args }] : [],
  );
  return [{ ...plain, text: texts.join("\n"), calls }];
};
