import type { Context } from "hono";
import {
  agentFigures,
  agentStatus,
  agentsIn,
  artifactNamed,
  rowAt,
  tradeSince,
} from "../../figures/index.ts";
import {
  type Agent,
  type Artifact,
  asId,
  endsAction,
  type Id,
  type Json,
  memoryIds,
  NO_COUNTERS,
  type State,
  windowsLeft,
} from "../../kernel/index.ts";
import { type ChatMessage, callsOf, textsOf } from "../../model/index.ts";
import {
  agentOverTime,
  artifactOverTime,
  artifactReport,
  momentIds,
  moneyTrail,
  type Span,
  THOUGHT_ENDS,
} from "../../read/index.ts";
import { isPausedByOperator } from "../../run/index.ts";
import { clientMind } from "../../seats/index.ts";
import { conversationIn, messagesOf } from "../../tools/index.ts";
import { filesIn } from "../../tools/kinds.ts";
import {
  decodeJson,
  type JournalReader,
  type JournalRow,
  runEventBody,
} from "../../world/index.ts";
import { requestedPeriod } from "./periods.ts";
import type { RunReader, StateAt } from "./reader/run-reader.ts";
import { numberIn, onState, type RunAnswer, type RunRoute, rowPage, seqIn } from "./served-run.ts";

const THOUGHTS_MAX = 50;
const MESSAGES_MAX = 200;
const STEPS_MAX = 50;

const agentRow = (state: State, agent: Agent, earlier: State) => {
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
export type AgentRow = ReturnType<typeof agentRow>;

export const agentRows = ({ state }: StateAt, earlier: State): readonly AgentRow[] =>
  agentsIn(state).map((agent) => agentRow(state, agent, earlier));

export const agentView = ({ state, atMs }: StateAt, name: string, earlier: State) => {
  const id = asId(name);
  const agent = state.agents.get(id);
  if (agent === undefined) return null;
  const artifact = state.artifacts.get(id);
  const memory = artifact?.memoryArtifactId ?? null;
  return {
    ...agentRow(state, agent, earlier),
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
const conversationView = (mind: Json, limit: number): ConversationView => {
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
  const calls = callsOf(message.blocks).map(({ name, args }) => ({ name, args }));
  return [{ ...plain, text: textsOf(message.blocks).join("\n"), calls }];
};

export type ThoughtLine = Awaited<ReturnType<typeof thoughtLines>>[number];

type ThoughtQuery = { readonly agent: string; readonly before: number; readonly limit: number };

/** The latest thoughts of an agent before event `before`, newest first. */
export const thoughtLines = async (
  reader: Pick<RunReader, "journal" | "index" | "calls">,
  { agent, before, limit }: ThoughtQuery,
) => {
  const { index, calls, journal } = reader;
  // The calls of a thought follow the end of the thought before, so reads one thought more.
  const found = index.latest(agent, { kinds: THOUGHT_ENDS, before, limit: limit + 1 });
  const lines = found.slice(0, limit).map(async (seq, place) => {
    const row = rowAt(reader.journal, seq);
    return row === null
      ? []
      : {
          seq,
          at_ms: row.atMs,
          kind: row.kind,
          body: decodeJson(row.body),
          calls: await calls.between(agent, found[place + 1] ?? 0, seq),
          outcome: outcomeOf(journal, row, before),
        };
  });
  return (await Promise.all(lines)).flat();
};

/** The event that ended a thought's action, or null if none did so before event `before`. */
const outcomeOf = (
  journal: JournalReader,
  { seq, kind, principal }: JournalRow,
  before: number,
) => {
  if (kind !== "thought_completed" || principal === null) return null;
  for (const row of journal.events({ principal, after: seq, upTo: before - 1 })) {
    if (endsAction(row)) return { seq: row.seq, kind: row.kind, body: decodeJson(row.body) };
    if (row.kind.startsWith("thought_")) return null;
  }
  return null;
};

export type MemoryLine = ReturnType<typeof memoryLines>[number];

const memoryLines = (reader: RunReader, { agent, before, limit }: ThoughtQuery) =>
  reader.index.latest(agent, { kinds: ["memory_recorded"], before, limit }).flatMap((seq) => {
    const row = rowAt(reader.journal, seq);
    if (row === null) return [];
    const { memory, text } = runEventBody(row.body);
    return [{ seq, at_ms: row.atMs, memory: String(memory), text: String(text) }];
  });

const artifactRow = (state: State, artifact: Artifact, earlier: State) => {
  const { id, type, owner, version, price, sizeBytes: size_bytes } = artifact;
  const about = { id, type, owner, version, price, size_bytes };
  return { ...about, deleted: artifact.deleted !== null, ...tradeSince(id, state, earlier) };
};
export type ArtifactRow = ReturnType<typeof artifactRow>;

export const artifactRows = ({ state }: StateAt, earlier: State): readonly ArtifactRow[] =>
  [...state.artifacts.rows()].map((artifact) => artifactRow(state, artifact, earlier));

/** The fields of an artifact that `artifactReport` omits. Null if the artifact does not exist. */
const artifactExtras = ({ state }: StateAt, id: string) => {
  const artifact = artifactNamed(state, id);
  if (artifact === undefined) return null;
  return {
    state: artifact.state,
    metadata: artifact.metadata,
    depends_on: artifact.dependsOn,
    has_standing: artifact.hasStanding,
    is_agent: state.agents.has(artifact.id),
  };
};
export type ArtifactExtras = NonNullable<ReturnType<typeof artifactExtras>>;

const agents: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const rows = agentRows(moment, reader.earlier);
  const page = rowPage(rows, req, ({ id, status, reason }) => `${id} ${status} ${reason}`);
  return { ...page, at_ms: moment.atMs };
};

const agent: RunAnswer = ({ reader }, { req }) => {
  const name = req.param("agent") ?? "";
  const moment = reader.at(seqIn(req, "at"));
  return agentView(moment, name, reader.earlier) ?? "this agent does not exist at this event";
};

const turn: RunAnswer = (run, { req }) => run.turnOf(req.param("agent") ?? "");

const thoughts: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { thoughts: await thoughtLines(reader, thoughtQueryIn(req)) };
};

const memories: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { memories: memoryLines(reader, thoughtQueryIn(req)) };
};

const thoughtQueryIn = (req: Context["req"]) => ({
  agent: req.param("agent") ?? "",
  before: (seqIn(req, "at") ?? Infinity) + 1,
  limit: Math.min(numberIn(req.query("limit"), 10), THOUGHTS_MAX),
});

const conversation: RunAnswer = ({ reader }, { req }) => {
  const agent = reader.at(seqIn(req, "at")).state.agents.get(asId(req.param("agent") ?? ""));
  const limit = Math.min(numberIn(req.query("limit"), 10), MESSAGES_MAX);
  return conversationView(agent?.mind ?? null, limit);
};

const artifacts: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const rows = artifactRows(moment, reader.earlier);
  const textOf = ({ id, type, owner, deleted }: ArtifactRow): string =>
    `${id} ${type} ${owner} ${deleted ? "deleted" : "live"}`;
  return { ...rowPage(rows, req, textOf), at_ms: moment.atMs };
};

const artifact: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const id = req.param("artifact") ?? "";
  const version = numberIn(req.query("version"), 0) || null;
  const report = artifactReport(reader.journal, moment.state, { id, version, upTo: moment.seq });
  if (typeof report === "string") return report;
  const versions = report.versions.filter((each) => each.version <= report.last_version);
  return { ...report, versions, ...artifactExtras(moment, id) };
};

const spanOf = ({ base }: RunReader, { seq: upTo, atMs: toMs }: StateAt): Span => {
  return { after: base.seq, upTo, fromMs: base.at_ms, toMs };
};

const agentHistory: RunAnswer = async ({ reader }, { req }) => {
  const period = await requestedPeriod(reader, req);
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  const agent = req.param("agent") ?? "";
  return agentOverTime(journal, agent, span, earlier, period);
};

const artifactHistory: RunAnswer = ({ reader }, { req }) => {
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  return artifactOverTime(journal, req.param("artifact") ?? "", span, earlier);
};

const trail: RunAnswer = async ({ reader }, { req }) =>
  moneyTrail(reader.journal, {
    principal: req.param("agent") ?? "",
    upTo: seqIn(req, "at"),
    limit: Math.min(numberIn(req.query("limit"), 5), STEPS_MAX),
    payment: seqIn(req, "payment"),
    momentIdOf: momentIds(reader.journal, await reader.moments.histories()),
  });

/** The routes of agents and artifacts. */
export const AGENT_ROUTES: readonly RunRoute[] = [
  ["/agents", onState(agents)],
  ["/agents/:agent", onState(agent)],
  ["/agents/:agent/turn", turn],
  ["/agents/:agent/thoughts", thoughts],
  ["/agents/:agent/memories", memories],
  ["/agents/:agent/conversation", onState(conversation)],
  ["/agents/:agent/trail", trail],
  ["/agents/:agent/history", agentHistory],
  ["/artifacts", onState(artifacts)],
  ["/artifacts/:artifact", onState(artifact)],
  ["/artifacts/:artifact/history", artifactHistory],
];
