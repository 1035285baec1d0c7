import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type AgentProgram,
  type AgentStatus,
  type CliSettings,
  type CliStep,
  conversationTurns,
  type EndedTurn,
  type KnownSession,
  killMarked,
  type McpCommand,
  messagesOfTurn,
  runTurn,
  type Segment,
  type TurnAgent,
  type TurnCall,
  type TurnResult,
  type TurnSource,
  turnCall,
  turnLine,
} from "../../coding-agents/index.ts";
import { cutText, type Event, must, type Patch, type View } from "../../kernel/index.ts";
import { FREE } from "../../mind/index.ts";
import type { Environment, Pricing, RecordedCall } from "../../model/index.ts";
import { listed, SIM_COMMAND, systemMessage } from "../../text/index.ts";
import { filesIn, filesPatch } from "../../tools/index.ts";

import type { Clock } from "../../world/index.ts";
import { showProblem } from "../config/index.ts";
import { NEEDS_REAL_TIME } from "../persona/host-programs.ts";
import { readTurnFolder } from "../persona/workspace-folder.ts";
import type { Seats } from "../seats/seats.ts";

type TurnsParts = {
  readonly seats: Seats;
  /** The folder of the run. */
  readonly folder: string;
  readonly env: Environment;
  readonly clock: Pick<Clock, "now">;
  readonly account: TurnAccount;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
};

/** The model budget of a run, from which turns are paid too. */
type TurnAccount = {
  readonly pricing: Pricing;
  leftMicros(): number;
  /** Records the call of a turn, and counts its cost. */
  charge(call: RecordedCall): void;
};

/** What a program tells during its turn. */
type TurnProgress = {
  /** What it has said since the last step: a line for each part, up to `SAID_CHARS_MAX`. */
  said: string;
  session: KnownSession | null;
  status: TurnStatus;
};

/** A turn in progress. */
type Turn = {
  /** Rejects if the journal cannot record the turn. */
  readonly result: Promise<PaidTurn>;
  /** Ends the program. */
  readonly end: () => void;
  readonly told: TurnProgress;
  /** The number of the last message that the task of the turn shows. */
  readonly newest: number;
};

type PaidTurn = { readonly kind: "result"; readonly made: TurnResult; readonly costMicros: number };

/** What a program does now, and for how many real milliseconds. `tool` is null if it uses none. */
type TurnStatus = {
  readonly kind: AgentStatus["kind"];
  readonly tool: string | null;
  readonly sinceMs: number;
};

/**
 * The turns of coding agents: programs of the host that act through the MCP server of their seat.
 * A turn is not part of the world. If the run is killed, the next process of the run ends what is
 * left of the turn, and starts a new one.
 */
export class CodingTurns implements TurnSource {
  readonly #parts: TurnsParts;
  readonly #turns = new Map<string, Turn>();
  /** The programs that run, also those whose agents have stopped. */
  readonly #running = new Set<Promise<PaidTurn>>();

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  next: TurnSource["next"] = async (agent, signal): Promise<CliStep> => {
    const { id } = agent;
    const why = this.#unableBecause();
    if (why !== null) return { ...NO_TURN, session: agent.session, problem: why };
    if (!this.#turns.has(id) && this.#parts.account.leftMicros() <= 0) {
      return { ...NO_TURN, session: agent.session, problem: NO_BUDGET, isOverBudget: true };
    }
    const turn = this.#turns.get(id) ?? this.#start(agent);
    if (typeof turn === "string") return { ...NO_TURN, session: agent.session, problem: turn };
    const over = new AbortController();
    const moveSignal = AbortSignal.any([signal, over.signal]);
    const move = this.#parts.seats.nextMove({ id, absentAfterMs: null }, moveSignal);
    const step = await Promise.race([move, turn.result]);
    over.abort();
    if (step.kind !== "result") {
      // Only the end of the run ends the wait for a move without one.
      return step.kind === "move"
        ? { ...step, said: saidIn(turn.told), session: turn.told.session }
        : OVER;
    }
    // A cancelled thought can wait here too. It never resolves if another has taken the end.
    if (this.#turns.get(id) !== turn) return await new Promise<never>(() => {});
    this.#turns.delete(id);
    return { ...this.#endOf(step, { agent, turn }), said: saidIn(turn.told) };
  };

  /** What the program of an agent does now, or null between its turns. */
  status(id: string): (Omit<TurnStatus, "sinceMs"> & { readonly since_ms: number }) | null {
    const status = this.#turns.get(id)?.told.status;
    if (status === undefined) return null;
    const { sinceMs, ...about } = status;
    return { ...about, since_ms: Math.round(performance.now() - sinceMs) };
  }

  /** Ends what is left of the turns of a process of this run that was killed. */
  endLeftovers(agents: Iterable<string>): void {
    for (const id of agents) killMarked(this.#markOf(id));
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
  async allEnded(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #unableBecause(): string | null {
    const { seats } = this.#parts;
    if (seats.clock === "virtual") return `it has mind: cli, ${NEEDS_REAL_TIME}`;
    return seats.isOpen ? null : "this run has no control channel, by which a program could act";
  }

  #start({ id, settings, systemPrompt, prompt, session, view }: TurnAgent): Turn | string {
    const { env } = this.#parts;
    const ending = new AbortController();
    const folder = this.#folderOf(id);
    const mark = this.#markOf(id);
    killMarked(mark);
    const problem = checkOutWorkspace(folder, view);
    if (problem !== null) return problem;
    const newest = messagesOfTurn(view).at(-1)?.number ?? 0;
    const told: TurnProgress = { said: "", session, status: statusNow({ kind: "waiting" }) };
    const made = runTurn({
      program: programOf(settings),
      folder,
      prompt,
      systemPrompt,
      session,
      mcpServer: this.#serverOf(id),
      timeoutMs: settings.timeout_s * 1000,
      env,
      variables: { [SERVER_VARIABLE]: JSON.stringify(this.#serverOf(id)) },
      signal: AbortSignal.any([this.#parts.signal, ending.signal]),
      mark,
      onStatus: (status) => {
        told.status = statusNow(status);
      },
      onSession: (session_id) => {
        // A continued session keeps what it has reported, because that is paid.
        if (told.session?.session_id === session_id) return;
        told.session = { session_id, reported: { input_tokens: 0, output_tokens: 0 } };
      },
      onSegment: (segment) => {
        if (told.said.length < SAID_CHARS_MAX) told.said = joined(told.said, lineOf(segment));
      },
    });
    const about = { agent: id, settings, systemPrompt, prompt };
    const result = made.then((each) => this.#paid(each, about));
    this.#running.add(result);
    void Promise.allSettled([result]).then(() => this.#running.delete(result));
    const turn: Turn = { result, told, newest, end: () => ending.abort() };
    this.#turns.set(id, turn);
    return turn;
  }

  /** A turn is paid when its program ends, also if the run ends and no thought takes its result. */
  #paid(made: TurnResult, turn: Omit<TurnCall, "result" | "pricing" | "atMs">): PaidTurn {
    const { account, clock } = this.#parts;
    const { pricing } = account;
    const call = turnCall({ ...turn, result: made, pricing, atMs: clock.now() });
    if (!made.not_found) account.charge(call);
    return { kind: "result", made, costMicros: call.costMicros };
  }

  #endOf(
    { made, costMicros: cost_micros }: PaidTurn,
    { agent: { id, view }, turn }: { readonly agent: TurnAgent; readonly turn: Turn },
  ): EndedTurn & Pick<CliStep, "session"> {
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
      usage: { calls, input_tokens, output_tokens, cost_micros, api_cost_micros: cost_micros },
      isOverBudget: false,
      workspace: patch,
      read_through: Math.max(turn.newest, this.#parts.seats.shownMessage(id)),
      warnings: [...warnings.filter((each) => each !== null), ...made.warnings],
    };
  }

  #folderOf(id: string): string {
    return join(this.#parts.folder, "turns", id);
  }

  #serverOf(id: string): McpCommand {
    const [command, ...args] = SIM_COMMAND;
    return { command, args: [...args, "mcp", resolve(this.#parts.folder), "--as", id] };
  }

  /** The same for all processes of the run: so the next one finds what is left of a turn. */
  #markOf(id: string): string {
    const place = JSON.stringify([realpathSync(this.#parts.folder), id]);
    return createHash("sha256").update(place).digest("hex").slice(0, MARK_CHARS);
  }
}

const MARK_CHARS = 32;
/** Tells a command of the user which MCP server to start: JSON with `command` and `args`. */
const SERVER_VARIABLE = "CATALLAXY_MCP";
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

const NO_BUDGET = "the run's model budget (budget.max_api_cost_usd) is used up";

const OVER = { ...NO_TURN, session: null, problem: "the run has ended" } as const;

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

const lineOf = (segment: Segment): string =>
  cutText(
    conversationTurns([segment])
      .map((turn) => turnLine(turn))
      .join("\n"),
    SAID_CHARS_MAX,
  );

const joined = (text: string, line: string): string =>
  text === "" || line === "" ? `${text}${line}` : `${text}\n${line}`;

/** What the program has said since the last step. */
const saidIn = (told: TurnProgress): string => {
  const { said } = told;
  told.said = "";
  return said;
};

const statusNow = (status: AgentStatus): TurnStatus => ({
  kind: status.kind,
  tool: status.kind === "tool" ? status.tool : null,
  sinceMs: performance.now(),
});

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

/** A program could have replaced a folder by a link to any place. */
const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

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

type TakenIn = {
  /** The change of the workspace, or null. */
  readonly patch: Patch | null;
  /** Why the workspace cannot have all files of the folder, or null. */
  readonly problem: string | null;
};

/** Reads the files of the folder, and removes it. Leaves out hidden files and packages. */
const checkInWorkspace = (folder: string, view: View): TakenIn => {
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
  const why = listed(told, PROBLEMS_SHOWN);
  if (!read.ok) return { patch: null, problem: `the files of the turn are not kept: ${why}` };
  const patch = filesPatch(content, read.files);
  return { patch, problem: told.length === 0 ? null : `some files are not kept: ${why}` };
};

const PROBLEMS_SHOWN = 3;
