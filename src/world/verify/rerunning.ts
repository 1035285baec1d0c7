import {
  canonical,
  commit,
  messageOf,
  type Physics,
  physicsOf,
  type State,
  wholeOf,
} from "../../kernel/index.ts";
import { isBookkeeping } from "../bookkeeping.ts";
import type { Journal, JournalRow } from "../journal/index.ts";
import type { AgentCheck } from "../machinery.ts";
import { firstPlace, playEvent } from "../replay.ts";
import type { Request } from "../request.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { sandboxFor } from "../sandbox-for.ts";
import { askerOf, decodeRequest } from "../wire-codec.ts";
import { type Committed, World } from "../world.ts";
import type { Check } from "./verdict.ts";

/** All that an action leaves behind during which the engine had to be killed. */
const LEFT_WHEN_KILLED: ReadonlySet<string> = new Set([
  "invocation_failed",
  "random_drawn",
  "action_refused",
  "agent_slept",
  "agent_woken",
]);

/** Puts the commands again and compares what they cause, and who is named in it. */
export class Rerunning {
  readonly #journal: Journal;
  readonly #agentProblem: AgentCheck;
  readonly #state: State;
  /** Null before there is a world. */
  #physics: Physics | null;
  #sandbox: Sandbox | null = null;
  #world: World | null = null;
  readonly #caused: Committed[] = [];

  /** @throws JournalFailure when what the journal goes on from cannot be used. */
  constructor(journal: Journal, agentProblem: AgentCheck) {
    this.#journal = journal;
    this.#agentProblem = agentProblem;
    const { state, seq } = firstPlace(journal);
    this.#state = state;
    this.#physics = seq === 0 ? null : physicsOf(state);
  }

  run(): readonly Check[] {
    const rows = this.#journal.events();
    let differs: string | null = null;
    let stranger: string | null = null;
    for (const { firstSeq, lastSeq, command, fused } of this.#journal.transactions()) {
      const recorded: JournalRow[] = [];
      for (let seq = firstSeq; seq <= lastSeq; seq++) {
        const row = rows.next();
        if (!row.done) recorded.push(row.value);
      }
      if (recorded.some((row) => isBookkeeping(row.kind))) continue;
      stranger ??= unaskedActor(command, recorded);
      differs = fused ? this.#take(recorded) : this.#again(command, recorded);
      if (differs !== null) break;
    }
    void this.#sandbox?.close();
    return [
      { name: "rerun", ok: differs === null, detail: differs ?? "" },
      { name: "invariant-9", ok: stranger === null, detail: stranger ?? "" },
    ];
  }

  /** A killed engine cannot be asked again. But of what it did nothing has stayed. */
  #take(recorded: readonly JournalRow[]): string | null {
    const moved = recorded.find(({ kind }) => !LEFT_WHEN_KILLED.has(kind));
    if (moved !== undefined) {
      return `event ${moved.seq}: ${moved.kind}, though the engine was killed and all was undone`;
    }
    for (const row of recorded) {
      const trouble = playEvent(this.#state, row);
      if (trouble !== null) return `event ${recorded[0]?.seq ?? 0}: ${trouble}`;
    }
    commit(this.#state);
    return null;
  }

  #again(command: string, recorded: readonly JournalRow[]): string | null {
    const at = recorded[0]?.seq ?? 0;
    try {
      this.#caused.length = 0;
      const request = decodeRequest(command);
      this.#worldFor(request).submit(request);
    } catch (error) {
      return `event ${at}: running its command again failed: ${messageOf(error)}`;
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

  /** Under other physics programs have other limits, and so the engine is another. */
  #worldFor(request: Request): World {
    const before = this.#physics;
    const physics = this.#physicsFor(request);
    this.#physics = physics;
    // A row that is replaced keeps its physics, so that texts are rarely compared.
    const amended = physics !== before && canonical(physics) !== canonical(before);
    if (amended || this.#world === null) {
      void this.#sandbox?.close();
      this.#world = this.#newWorld(physics);
    }
    return this.#world;
  }

  /** Those of the world as it is, or as it is to be created. */
  #physicsFor(request: Request): Physics {
    if (this.#physics !== null) return wholeOf(this.#state).physics;
    if (request.kind !== "create_world") throw new Error("a journal begins with create_world");
    return request.physics;
  }

  #newWorld(physics: Physics): World {
    const sandbox = sandboxFor(patient(physics));
    this.#sandbox = sandbox;
    const witness = {
      append: (transaction: Committed): void => {
        this.#caused.push(transaction);
      },
    };
    return new World({
      state: this.#state,
      journal: witness,
      sandbox,
      agentProblem: this.#agentProblem,
      checkEvery: Number.MAX_SAFE_INTEGER,
    });
  }
}

/**
 * What is run again once ended within the fuse, on another day or another machine: it is given far
 * more time, so that a verdict does not depend on how busy this one is.
 */
const patient = (physics: Physics): Physics => {
  const wall_fuse_ms = physics.sandbox.wall_fuse_ms * PATIENCE;
  return { ...physics, sandbox: { ...physics.sandbox, wall_fuse_ms } };
};

const PATIENCE = 20;

/** Invariant 9: no event names as principal somebody who did not ask for it. */
const unaskedActor = (command: string, recorded: readonly JournalRow[]): string | null => {
  const asker = askerOf(decodeRequest(command));
  const stranger = recorded.find((row) => row.principal !== null && row.principal !== asker);
  return stranger === undefined
    ? null
    : `event ${stranger.seq}: ${stranger.principal} did not ask for this ${stranger.kind}`;
};
