import {
  canonical,
  commit,
  decodeEvent,
  emptyState,
  evolve,
  type Physics,
  physicsOf,
  readState,
  STATE_INVARIANTS,
  type State,
  violations,
  wholeOf,
} from "../kernel/index.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import type { Beginning, Journal, JournalRow, SnapshotMark } from "./journal/index.ts";
import type { AgentCheck } from "./machinery.ts";
import type { Request } from "./request.ts";
import type { Sandbox } from "./sandbox/index.ts";
import { sandboxFor } from "./sandbox-for.ts";
import { sha256 } from "./sha256.ts";
import { stateHash } from "./snapshot.ts";
import { askerOf, decodeRequest } from "./wire-codec.ts";
import { type Committed, World } from "./world.ts";

/** One thing that was looked at. `detail` names the event where it does not hold. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export type Verdict = {
  readonly ok: boolean;
  readonly events: number;
  readonly stateHash: string;
  readonly checks: readonly Check[];
};

/**
 * Does this journal tell the truth? The state that it goes on from, if it does; its chain of
 * hashes; its snapshots; that its events lead to the states that were kept, with every invariant
 * holding; and that its commands, put again to a world of the same beginning with the agents'
 * programs run again, cause the same events. Where the engine had been killed, what was recorded is
 * taken as it stands.
 */
export const verifyJournal = (journal: Journal, agentProblem: AgentCheck): Verdict => {
  const start = startOf(journal);
  const chain = journal.verifyChain();
  const links: Check = chain.ok
    ? { name: "chain", ok: true, detail: `${chain.head.seq - (start.base?.seq ?? 0)} events` }
    : { name: "chain", ok: false, detail: `event ${chain.seq}: ${chain.detail}` };
  const kept = journal.verifySnapshots();
  const snapshots: Check = kept.ok
    ? { name: "snapshots", ok: true, detail: `${kept.snapshots} snapshots` }
    : { name: "snapshots", ok: false, detail: kept.detail };
  const kinds = [...start.checks, links, snapshots];
  if (!start.ok || !links.ok) return { ok: false, events: 0, stateHash: "", checks: kinds };
  const replayed = new Replaying(journal, start).run();
  const rerun = new Rerunning(journal, { agentProblem, start }).run();
  const checks = [...kinds, ...replayed.checks, ...rerun];
  const { events, hash } = replayed;
  return { ok: checks.every((check) => check.ok), events, stateHash: hash, checks };
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** What the journal goes on from, and whether it is what it says. */
type Start = {
  readonly ok: boolean;
  readonly base: Beginning | null;
  readonly checks: readonly Check[];
};

const startOf = (journal: Journal): Start => {
  const check = (ok: boolean, detail: string): readonly Check[] => [{ name: "base", ok, detail }];
  try {
    const base = journal.base();
    if (base === null) return { ok: true, base, checks: [] };
    const read = readState(base.state);
    if (!read.ok) return { ok: false, base, checks: check(false, read.problem) };
    const ok = read.state.whole.has("world");
    const detail = ok ? `the state after event ${base.seq}` : "its state holds no world";
    return { ok, base, checks: check(ok, detail) };
  } catch (error) {
    return { ok: false, base: null, checks: check(false, reasonOf(error)) };
  }
};

/** A state of one's own to go on from. */
const freshState = ({ base }: Start): State => {
  const read = base === null ? null : readState(base.state);
  return read?.ok ? read.state : emptyState();
};

/** Applies the events and looks at the world where a snapshot was taken and at the end. */
class Replaying {
  readonly #journal: Journal;
  readonly #state: State;
  readonly #firstSeq: number;
  readonly #broken = new Map<number, string>();
  #mismatch: string | null = null;

  constructor(journal: Journal, start: Start) {
    this.#journal = journal;
    this.#state = freshState(start);
    this.#firstSeq = start.base?.seq ?? 0;
  }

  run(): { readonly checks: readonly Check[]; readonly events: number; readonly hash: string } {
    const marks = Map.groupBy(this.#journal.snapshots(), ({ seq }) => seq);
    let events = 0;
    if (this.#firstSeq > 0) this.#look(this.#firstSeq, marks.get(this.#firstSeq) ?? []);
    for (const row of this.#journal.events()) {
      const trouble = this.#apply(row);
      if (trouble !== null) {
        return { checks: [this.#verdict(`event ${row.seq}: ${trouble}`)], events, hash: "" };
      }
      events += 1;
      const kept = marks.get(row.seq);
      if (kept !== undefined) this.#look(row.seq, kept);
    }
    const last = this.#firstSeq + events;
    this.#look(last, []);
    const invariants = STATE_INVARIANTS.map((number): Check => {
      const detail = this.#broken.get(number);
      return { name: `invariant-${number}`, ok: detail === undefined, detail: detail ?? "" };
    });
    const hash = last === 0 ? "" : stateHash(this.#state);
    return { checks: [this.#verdict(this.#mismatch), ...invariants], events, hash };
  }

  #verdict(detail: string | null): Check {
    return { name: "replay", ok: detail === null, detail: detail ?? "" };
  }

  #apply(row: JournalRow): string | null {
    if (isBookkeeping(row.kind)) return null;
    try {
      evolve(this.#state, decodeEvent(row));
      commit(this.#state);
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  #look(seq: number, kept: readonly SnapshotMark[]): void {
    if (seq === 0) return;
    for (const { invariant, detail } of violations(this.#state)) {
      if (!this.#broken.has(invariant)) this.#broken.set(invariant, `event ${seq}: ${detail}`);
    }
    if (kept.length === 0 || this.#mismatch !== null) return;
    const hash = stateHash(this.#state);
    const snapshot = this.#journal.latestSnapshot(seq);
    const honest =
      kept.every((mark) => mark.stateHash === hash) &&
      (snapshot?.seq !== seq || sha256(snapshot.body) === hash);
    if (honest) return;
    this.#mismatch = `event ${seq}: the snapshot differs from what the events lead to`;
  }
}

/** All that an action leaves behind during which the engine had to be killed. */
const LEFT_WHEN_KILLED: ReadonlySet<string> = new Set([
  "invocation_failed",
  "random_drawn",
  "action_refused",
  "agent_slept",
  "agent_woken",
]);

/** Puts the commands again and compares what they cause, and who is named in it. */
class Rerunning {
  readonly #journal: Journal;
  readonly #agentProblem: AgentCheck;
  readonly #state: State;
  /** Null before there is a world. */
  #physics: Physics | null;
  #sandbox: Sandbox | null = null;
  #world: World | null = null;
  readonly #caused: Committed[] = [];

  constructor(
    journal: Journal,
    { agentProblem, start }: { readonly agentProblem: AgentCheck; readonly start: Start },
  ) {
    this.#journal = journal;
    this.#agentProblem = agentProblem;
    this.#state = freshState(start);
    this.#physics = start.base === null ? null : physicsOf(this.#state);
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
    try {
      for (const row of recorded) evolve(this.#state, decodeEvent(row));
    } catch (error) {
      return `event ${recorded[0]?.seq ?? 0}: ${reasonOf(error)}`;
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
      return `event ${at}: running its command again failed: ${reasonOf(error)}`;
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
