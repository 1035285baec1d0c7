import {
  canonical,
  commit,
  errorMessage,
  type Physics,
  physicsOf,
  type State,
} from "../../kernel/index.ts";
import type { Request } from "../core/request.ts";
import { type AgentCheck, sandboxFor } from "../execution/context.ts";
import { World } from "../execution/world.ts";
import {
  decodeRequest,
  isRunEvent,
  type Journal,
  type JournalRow,
  type JournalTransaction,
  senderOf,
} from "../journal/index.ts";
import { firstPlace, playEvent } from "../replay/replay.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { type Check, checkOf } from "./replay-check.ts";

/** The kinds of events that an action can leave after it timed out. */
const LEFT_BY_TIMEOUT: ReadonlySet<string> = new Set([
  "invocation_failed",
  "random_drawn",
  "action_refused",
  "agent_state_changed",
]);

/** Runs the commands again, compares the events, and checks the principals of the events. */
export class RerunCheck {
  readonly #journal: Journal;
  readonly #agentProblem: AgentCheck;
  readonly #state: State;
  #physics: Physics | null = null;
  #sandbox: Sandbox | null = null;
  #world: World | null = null;
  readonly #caused: JournalTransaction[] = [];

  constructor(journal: Journal, agentProblem: AgentCheck) {
    this.#journal = journal;
    this.#agentProblem = agentProblem;
    this.#state = firstPlace(journal).state;
  }

  run(): readonly Check[] {
    const rows = this.#journal.events();
    let differs: string | null = null;
    let foreign: string | null = null;
    for (const { firstSeq, lastSeq, command, timedOut } of this.#journal.transactions()) {
      const recorded: JournalRow[] = [];
      for (let seq = firstSeq; seq <= lastSeq; seq++) {
        const row = rows.next();
        if (!row.done) recorded.push(row.value);
      }
      if (recorded.some((row) => isRunEvent(row.kind))) continue;
      foreign ??= foreignActor(command, recorded);
      differs = timedOut ? this.#accept(recorded) : this.#rerun(command, recorded);
      if (differs !== null) break;
    }
    void this.#sandbox?.close();
    return [checkOf("rerun", differs), checkOf("invariant-9", foreign)];
  }

  /** Applies the events of a timeout without a rerun. Allows only kinds in `LEFT_BY_TIMEOUT`. */
  #accept(recorded: readonly JournalRow[]): string | null {
    const moved = recorded.find(({ kind }) => !LEFT_BY_TIMEOUT.has(kind));
    if (moved !== undefined) {
      return `event ${moved.seq}: ${moved.kind} was recorded, but a timeout undoes all effects`;
    }
    for (const row of recorded) {
      const problem = playEvent(this.#state, row);
      if (problem !== null) return `event ${recorded[0]?.seq ?? 0}: ${problem}`;
    }
    commit(this.#state);
    return null;
  }

  #rerun(command: string, recorded: readonly JournalRow[]): string | null {
    const at = recorded[0]?.seq ?? 0;
    try {
      this.#caused.length = 0;
      const request = decodeRequest(command);
      this.#worldFor(request).submit(request);
    } catch (error) {
      return `event ${at}: running its command again failed: ${errorMessage(error)}`;
    }
    const caused = this.#caused[0]?.events ?? [];
    for (const [i, row] of recorded.entries()) {
      const event = caused[i];
      const same =
        event !== undefined &&
        event.atMs === row.atMs &&
        event.kind === row.kind &&
        event.principal === row.principal &&
        event.body === row.body;
      if (!same) {
        const now = event === undefined ? "nothing" : canonical(event).slice(0, 300);
        return `event ${row.seq} (${row.kind}): its command now causes ${now}`;
      }
    }
    const extra = caused[recorded.length];
    return extra === undefined ? null : `event ${at}: its command now causes ${extra.kind} as well`;
  }

  /** The world for a request. If the physics were amended, makes a world with the new limits. */
  #worldFor(request: Request): World {
    const physics = this.#physicsFor(request);
    const isSame = physics === this.#physics || canonical(physics) === canonical(this.#physics);
    this.#physics = physics;
    if (this.#world === null || !isSame) {
      void this.#sandbox?.close();
      this.#world = this.#newWorld(physics);
    }
    return this.#world;
  }

  #physicsFor(request: Request): Physics {
    if (this.#state.world.has("world")) return physicsOf(this.#state);
    if (request.kind !== "create_world") throw new Error("a journal begins with create_world");
    return request.physics;
  }

  #newWorld(physics: Physics): World {
    const sandbox = sandboxFor(patient(physics));
    this.#sandbox = sandbox;
    return new World({
      state: this.#state,
      journal: { append: (transaction) => this.#caused.push(transaction) },
      sandbox,
      agentProblem: this.#agentProblem,
      checkEvery: Number.MAX_SAFE_INTEGER,
    });
  }
}

/** Raises the timeout, because this machine may be slower than the machine of the run. */
const patient = (physics: Physics): Physics => {
  const wall_timeout_ms = physics.sandbox.wall_timeout_ms * PATIENCE;
  return { ...physics, sandbox: { ...physics.sandbox, wall_timeout_ms } };
};

const PATIENCE = 20;

/** Checks invariant 9: the principal of an event is the sender of the command that caused it. */
const foreignActor = (command: string, recorded: readonly JournalRow[]): string | null => {
  const sender = senderOf(decodeRequest(command));
  const foreign = recorded.find((row) => row.principal !== null && row.principal !== sender);
  return foreign === undefined
    ? null
    : `event ${foreign.seq}: ${foreign.principal} did not ask for this ${foreign.kind}`;
};
