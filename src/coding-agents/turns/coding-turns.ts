import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { cutText, type Event, must, type Patch, type View } from "../../kernel/index.ts";
import {
  type CliSettings,
  type CliStep,
  FREE,
  type KnownSession,
  messagesOfTurn,
  type TurnAgent,
  type TurnSource,
} from "../../mind/index.ts";
import {
  agentContents,
  type ControlMethods,
  connectToRun,
  controlMethod,
  type FeatureRun,
  NEEDS_REAL_TIME,
  type OpenFeature,
  type RunFeature,
  readTurnFolder,
  showProblem,
} from "../../run/index.ts";
import { clientMind, type Seats, seatFeature } from "../../seats/index.ts";
import { listed, SIM_COMMAND, systemMessage } from "../../text/index.ts";
import { filesIn, filesPatch } from "../../tools/kinds.ts";
import { segmentLine } from "../program/conversation-batch.ts";
import { killMarked } from "../program/marked-processes.ts";
import type { AgentProgram } from "../program/providers.ts";
import { runTurn, type TurnResult } from "../program/run-turn.ts";
import type { AgentStatus } from "../program/turn-log.ts";
import { isLink } from "../program/working-folder.ts";
import { turnCall } from "./turn-call.ts";

/** Agents that are programs of this machine. They act through their seats. */
export const codingAgentFeature: RunFeature<CodingTurns> = {
  name: "coding agents",
  open: (run) =>
    new CodingTurns(run, must(run.opened(seatFeature), "coding agents act through seats")),
};

export const TURN_METHODS = {
  /** What the program of an agent with `mind: cli` does now. Null: it makes no turn now. */
  turn_status: {
    params: z.strictObject({ agent: z.string().min(1).max(128) }),
    result: z.object({
      turn: z
        .object({
          kind: z.enum(["waiting", "thinking", "tool"]),
          tool: z.string().nullable(),
          since_ms: z.number(),
        })
        .nullable(),
    }),
  },
};

/** How long a live run may take to say what a program does. */
const STATUS_MS_MAX = 2_000;

/** What the program of a coding agent does now. Null between turns, or if the run is not live. */
export const turnStatus = async (folder: string, agent: string): Promise<object> => {
  const connected = await connectToRun(folder, TURN_METHODS);
  if (!connected.ok) return { turn: null };
  const { client } = connected;
  const status = await client.call("turn_status", { agent }, AbortSignal.timeout(STATUS_MS_MAX));
  client.close();
  return status.ok ? status.value : { turn: null };
};

/** A turn in progress. */
type Turn = {
  /** The call that pays for the turn. Rejects if the journal cannot record it. */
  readonly result: Promise<{ readonly kind: "result"; readonly made: TurnResult; micros: number }>;
  /** Ends the program. */
  readonly end: () => void;
  /** The number of the last message that the task of the turn shows. */
  readonly newest: number;
  readonly told: {
    /** What the program has said since the last step: a line for each part. */
    said: string;
    session: KnownSession | null;
    status: AgentStatus;
    /** The real time since when it has this status, in ms. */
    sinceMs: number;
  };
};

/**
 * The turns of coding agents: programs of the host that act through the MCP server of their seat.
 * A turn is not part of the world. If the run is killed, the next process of the run ends what is
 * left of the turn, and starts a new one.
 */
class CodingTurns implements OpenFeature, TurnSource {
  readonly sources: { readonly turns: TurnSource } = { turns: this };
  readonly #run: FeatureRun;
  readonly #seats: Seats;
  readonly #turns = new Map<string, Turn>();
  /** The programs that run, also those whose agents have stopped. */
  readonly #running = new Set<Turn["result"]>();

  constructor(run: FeatureRun, seats: Seats) {
    this.#run = run;
    this.#seats = seats;
  }

  async next(agent: TurnAgent, signal: AbortSignal): Promise<CliStep> {
    const { id, session } = agent;
    const why = this.#unableBecause();
    if (why !== null) return { ...NO_TURN, session, problem: why };
    if (!this.#turns.has(id) && this.#run.budget.leftMicros() <= 0) {
      const problem = "the run's model budget (budget.max_api_cost_usd) is used up";
      return { ...NO_TURN, session, problem, isOverBudget: true };
    }
    const turn = this.#turns.get(id) ?? this.#start(agent);
    if (typeof turn === "string") return { ...NO_TURN, session, problem: turn };
    const over = new AbortController();
    const moveSignal = AbortSignal.any([signal, over.signal]);
    const move = this.#seats.nextMove({ id, absentAfterMs: null }, moveSignal);
    const step = await Promise.race([move, turn.result]);
    over.abort();
    const { told } = turn;
    if (step.kind === "move") return { ...step, said: taken(told), session: told.session };
    // Only the end of the run ends the wait for a move without a move.
    if (step.kind !== "result") {
      return { ...NO_TURN, session: null, problem: "the run has ended" };
    }
    // A cancelled thought can wait here too. It never resolves if another has taken the end.
    if (this.#turns.get(id) !== turn) return await new Promise<never>(() => {});
    this.#turns.delete(id);
    return { ...this.#endOf(agent, turn, step.made, step.micros), said: taken(told) };
  }

  methods(): ControlMethods {
    return {
      turn_status: controlMethod(TURN_METHODS.turn_status, async ({ agent }) => {
        const told = this.#turns.get(agent)?.told;
        if (told === undefined) return { ok: true, value: { turn: null } };
        const { status, sinceMs } = told;
        const tool = status.kind === "tool" ? status.tool : null;
        const since_ms = Math.round(performance.now() - sinceMs);
        return { ok: true, value: { turn: { kind: status.kind, tool, since_ms } } };
      }),
    };
  }

  /** Ends what is left of the turns of a process of this run that was killed. */
  start(): void {
    for (const { id, content } of agentContents(this.#run.world.state)) {
      if (clientMind(content) === "cli") killMarked(this.#markOf(id));
    }
  }

  /** Ends the programs of agents that have stopped. */
  onEvents(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind !== "agent_state_changed" || event.to !== "stopped") continue;
      this.#turns.get(event.agent)?.end();
      this.#turns.delete(event.agent);
    }
  }

  /** Resolves when no program runs any more. The end of the run ends all turns. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #unableBecause(): string | null {
    if (this.#seats.clock === "virtual") return `it has mind: cli, ${NEEDS_REAL_TIME}`;
    return this.#seats.isOpen
      ? null
      : "this run has no control channel, by which a program could act";
  }

  #start({ id, settings, systemPrompt, prompt, session, view }: TurnAgent): Turn | string {
    const { env, budget, clock } = this.#run;
    const { pricing } = budget;
    const ending = new AbortController();
    const folder = this.#folderOf(id);
    const mark = this.#markOf(id);
    killMarked(mark);
    const problem = checkOutWorkspace(folder, view);
    if (problem !== null) return problem;
    const [command, ...args] = SIM_COMMAND;
    const mcpServer = { command, args: [...args, "mcp", resolve(this.#run.folder), "--as", id] };
    const told: Turn["told"] = {
      said: "",
      session,
      status: { kind: "waiting" },
      sinceMs: performance.now(),
    };
    const running = runTurn({
      program: programOf(settings),
      folder,
      prompt,
      systemPrompt,
      session,
      mcpServer,
      timeoutMs: settings.timeout_s * 1000,
      env,
      // Tells a command of the user which MCP server to start.
      variables: { CATALLAXY_MCP: JSON.stringify(mcpServer) },
      signal: AbortSignal.any([this.#run.signal, ending.signal]),
      mark,
      onStatus: (status) => {
        told.status = status;
        told.sinceMs = performance.now();
      },
      onSession: (session_id) => {
        // A continued session keeps what it has reported, because that is paid.
        if (told.session?.session_id === session_id) return;
        told.session = { session_id, reported: { input_tokens: 0, output_tokens: 0 } };
      },
      onSegment: (segment) => {
        if (told.said.length >= SAID_CHARS_MAX) return;
        const line = cutText(segmentLine(segment), SAID_CHARS_MAX);
        told.said += told.said === "" || line === "" ? line : `\n${line}`;
      },
    });
    // A turn is paid when its program ends, also if the run ends and no thought takes its result.
    const result = running.then((made) => {
      const about = { agent: id, settings, systemPrompt, prompt };
      const call = turnCall({ ...about, result: made, pricing, atMs: clock.now() });
      if (!made.not_found) budget.charge(call);
      return { kind: "result", made, micros: call.costMicros } as const;
    });
    this.#running.add(result);
    const leave = (): void => void this.#running.delete(result);
    // A failed result is thrown to the thought that takes it.
    result.then(leave, leave);
    const newest = messagesOfTurn(view).at(-1)?.number ?? 0;
    const turn: Turn = { result, told, newest, end: () => ending.abort() };
    this.#turns.set(id, turn);
    return turn;
  }

  #endOf({ id, view }: TurnAgent, turn: Turn, made: TurnResult, micros: number) {
    const { error, stderr, output, usage, session_id, reported } = made;
    const { patch, problem } = checkInWorkspace(this.#folderOf(id), view);
    const { calls, input_tokens, output_tokens } = usage;
    const [said = ""] = stderr.split("\n");
    const why = error === null ? null : `${error}${said === "" ? "" : `: ${said}`}`;
    const warnings = [problem, why === null ? null : `the turn of ${id} failed: ${why}`];
    return {
      kind: "ended",
      session: session_id === null ? turn.told.session : { session_id, reported },
      problem: why,
      filesProblem: problem,
      output,
      usage: { calls, input_tokens, output_tokens, cost_micros: micros, api_cost_micros: micros },
      isOverBudget: false,
      workspace: patch,
      read_through: Math.max(turn.newest, this.#seats.shownMessage(id)),
      warnings: warnings.filter((each) => each !== null),
    } as const;
  }

  #folderOf(id: string): string {
    return join(this.#run.folder, "turns", id);
  }

  /** The same for all processes of the run: so the next one finds what is left of a turn. */
  #markOf(id: string): string {
    const place = JSON.stringify([realpathSync(this.#run.folder), id]);
    return createHash("sha256").update(place).digest("hex").slice(0, 32);
  }
}

const NO_TURN = {
  kind: "ended",
  output: "",
  said: "",
  usage: FREE,
  workspace: null,
  filesProblem: null,
  isOverBudget: false,
  read_through: 0,
  warnings: [],
} as const;

const programOf = (settings: CliSettings): AgentProgram => {
  const { provider, executable = null, args = [], llm_model: model = null, unsafe } = settings;
  if (provider !== "command") return { provider, executable, args, model, unsafe };
  const [file, ...others] = must(settings.command, "provider: command must have a command");
  return {
    provider,
    argv: [must(file, "a command has a program"), ...others],
    stream: settings.stream ?? "text",
  };
};

/** The reasoning of a thought keeps fewer characters. */
const SAID_CHARS_MAX = 10_000;

/** What the program has said since the last step. */
const taken = (told: Turn["told"]): string => {
  const { said } = told;
  told.said = "";
  return said;
};

const contentOf = ({ workspace }: View): string => workspace?.text ?? "";

/**
 * Makes the folder of a turn, with the files of the agent's workspace and nothing else. Returns why
 * it cannot, or null.
 */
const checkOutWorkspace = (folder: string, view: View): string | null => {
  if (isLink(dirname(folder))) return LINKED;
  return fileProblem(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [path, text] of filesIn(contentOf(view))) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  });
};

const LINKED = "the folder turns of the run is a link; remove it";
const REPLACED = "the files of the turn are not kept: its folder was replaced by a link";

const fileProblem = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return `its folder cannot be made: ${systemMessage(error, null) ?? String(error)}`;
  }
};

/**
 * Reads the files of the folder, and removes it. Leaves out hidden files and packages. Returns the
 * change of the workspace, and why it cannot have all files.
 */
const checkInWorkspace = (
  folder: string,
  view: View,
): { readonly patch: Patch | null; readonly problem: string | null } => {
  if (isLink(dirname(folder))) return { patch: null, problem: LINKED };
  if (isLink(folder)) {
    fileProblem(() => rmSync(folder));
    return { patch: null, problem: REPLACED };
  }
  const content = contentOf(view);
  const before = filesIn(content);
  const diskBytes = Buffer.byteLength(content) + Math.max(0, view.diskLeft);
  const read = readTurnFolder(folder, { diskBytes, before });
  // What cannot be removed now is a problem of the next turn.
  fileProblem(() => rmSync(folder, { recursive: true, force: true }));
  const told = read.problems.map((each) => showProblem(each).replaceAll(`${folder}/`, ""));
  const why = listed(told, 3);
  if (!read.ok) return { patch: null, problem: `the files of the turn are not kept: ${why}` };
  const patch = filesPatch(content, read.files);
  return { patch, problem: told.length === 0 ? null : `some files are not kept: ${why}` };
};
