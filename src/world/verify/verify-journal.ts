import { dirname } from "node:path";
import {
  canonical,
  commit,
  errorMessage,
  type Physics,
  physicsOf,
  STATE_INVARIANTS,
  type State,
  violations,
} from "../../kernel/index.ts";
import type { Request } from "../core/request.ts";
import { type AgentCheck, sandboxFor } from "../execution/context.ts";
import { World } from "../execution/world.ts";
import {
  decodeRequest,
  isRunEvent,
  type Journal,
  type JournalEvent,
  JournalFailure,
  type JournalReader,
  type JournalRow,
  type JournalTransaction,
  senderOf,
} from "../journal/index.ts";
import { firstPlace, playEvent, stateHash } from "../replay/replay.ts";
import { endOfOpening } from "../replay/run-point.ts";
import type { Sandbox } from "../sandbox/index.ts";

export type Verification = {
  readonly ok: boolean;
  readonly events: number;
  readonly stateHash: string;
  readonly checks: readonly Check[];
};

/**
 * Checks the base, the hash chain and the snapshots of a journal. Checks that the events lead to
 * the recorded states, and that every invariant holds in them. Runs the commands again and checks
 * that they cause the same events. Transactions that timed out are not run again.
 */
export const verifyJournal = (journal: Journal, agentProblem: AgentCheck): Verification => {
  const base = checkBase(journal);
  const chain = journal.verifyChain();
  const links = chain.ok ? `${chain.events} events` : `event ${chain.seq}: ${chain.detail}`;
  const kept = journal.verifySnapshots();
  const files: readonly Check[] = [
    ...base,
    { name: "chain", ok: chain.ok, detail: links },
    {
      name: "snapshots",
      ok: kept.ok,
      detail: kept.ok ? `${kept.snapshots} snapshots` : kept.detail,
    },
  ];
  if (!chain.ok || base.some(({ ok }) => !ok)) return verificationOf(files);
  const { checks: replayed, events, hash } = checkReplay(journal);
  const checks = [...files, ...replayed, ...checkRerun(journal, agentProblem)];
  return verificationOf(checks, hash, events);
};

export const verificationOf = (
  checks: readonly Check[],
  stateHash = "",
  events = 0,
): Verification => ({ ok: checks.every(({ ok }) => ok), events, stateHash, checks });

const checkBase = (journal: Journal): readonly Check[] => {
  const found = (ok: boolean, detail: string): readonly Check[] => [{ name: "base", ok, detail }];
  try {
    const { state, seq } = firstPlace(journal);
    if (seq === 0) return [];
    return state.world.has("world")
      ? found(true, `the state after event ${seq}`)
      : found(false, "its state holds no world");
  } catch (error) {
    return found(false, errorMessage(error));
  }
};

/**
 * The damage to a journal up to event `upTo`, with the fix, or null. Recomputes the hash chain
 * (100,000 events a second). Does not replay events or check snapshot bodies.
 */
export const damageIn = (journal: JournalReader, upTo: number | null = null): string | null => {
  const chain = journal.verifyChain(upTo);
  if (!chain.ok) return `${journal.path} is damaged: ${chain.detail}; ${cureFrom(journal, chain)}`;
  const snapshots = journal.verifySnapshots({ upTo, bodies: false });
  if (snapshots.ok) return null;
  const cure = "check it with `sim verify`, then use a copy of it";
  return `${journal.path} is damaged: ${snapshots.detail}; ${cure}`;
};

/**
 * Why reading journals threw `error`: the message of a JournalFailure, or else the damage of the
 * first damaged journal, because readers assume valid rows. Null if nothing explains the error.
 */
export const readingProblem = (
  error: unknown,
  journals: readonly JournalReader[],
): string | null => {
  if (error instanceof JournalFailure) return error.message;
  for (const journal of journals) {
    const damage = damageIn(journal);
    if (damage !== null) return damage;
  }
  return null;
};

const cureFrom = (journal: JournalReader, { soundSeq }: { readonly soundSeq: number }): string => {
  const isUsable = soundSeq >= endOfOpening(journal) && soundSeq > 0;
  if (!isUsable) return "use a copy of it";
  const fork = `sim fork ${dirname(journal.path)} --at event:${soundSeq}`;
  return `use a copy, or continue from before it with \`${fork}\``;
};

/** The result of a check. If the check failed, `detail` says why and at which event. */
type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export const checkOf = (name: string, problem: string | null): Check => ({
  name,
  ok: problem === null,
  detail: problem ?? "",
});

export const invariantChecks = (broken: ReadonlyMap<number, string>): readonly Check[] =>
  STATE_INVARIANTS.map((number) => checkOf(`invariant-${number}`, broken.get(number) ?? null));

/** Applies all events. At each snapshot, compares the state and checks the invariants. */
const checkReplay = (journal: Journal) => {
  const { state, seq: firstSeq } = firstPlace(journal);
  const marks = Map.groupBy(journal.snapshots(), ({ seq }) => seq);
  const broken = new Map<number, string>();
  let mismatch: string | null = null;
  let last = firstSeq;
  const checkState = (seq: number): void => {
    for (const { invariant, detail } of violations(state)) {
      if (!broken.has(invariant)) broken.set(invariant, `event ${seq}: ${detail}`);
    }
    const hash = marks.has(seq) ? stateHash(state) : "";
    if (marks.get(seq)?.every((mark) => mark.stateHash === hash) ?? true) return;
    mismatch ??= `event ${seq}: the snapshot differs from the state that the events lead to`;
  };
  if (firstSeq > 0) checkState(firstSeq);
  for (const row of journal.events()) {
    const problem = isRunEvent(row.kind) ? null : playEvent(state, row);
    if (problem !== null) {
      const checks = [checkOf("replay", `event ${row.seq}: ${problem}`)];
      return { checks, events: last - firstSeq, hash: "" };
    }
    commit(state);
    last = row.seq;
    if (marks.has(last)) checkState(last);
  }
  if (last > 0 && !marks.has(last)) checkState(last);
  const checks = [checkOf("replay", mismatch), ...invariantChecks(broken)];
  return { checks, events: last - firstSeq, hash: last === 0 ? "" : stateHash(state) };
};

/** The kinds of events that an action can leave after it timed out. */
const LEFT_BY_TIMEOUT: ReadonlySet<string> = new Set([
  "invocation_failed",
  "random_drawn",
  "action_refused",
  "agent_state_changed",
]);

/** How much longer than in the run a program may take, because this machine may be slower. */
const PATIENCE = 20;

/** Runs the commands again, compares the events, and checks the principals of the events. */
const checkRerun = (journal: Journal, agentProblem: AgentCheck): readonly Check[] => {
  const { state } = firstPlace(journal);
  const caused: JournalTransaction[] = [];
  let now = null as { physics: Physics; sandbox: Sandbox; world: World } | null;

  /** The world for a request. If the physics were amended, makes a world with the new limits. */
  const worldFor = (request: Request): World => {
    const physics = firstPhysics(state, request) ?? physicsOf(state);
    const isSame = physics === now?.physics || canonical(physics) === canonical(now?.physics ?? {});
    if (now !== null && isSame) {
      now.physics = physics;
      return now.world;
    }
    void now?.sandbox.close();
    const wall_timeout_ms = physics.sandbox.wall_timeout_ms * PATIENCE;
    const sandbox = sandboxFor({ ...physics, sandbox: { ...physics.sandbox, wall_timeout_ms } });
    const world = new World({
      state,
      journal: { append: (transaction) => caused.push(transaction) },
      sandbox,
      agentProblem,
      checkEvery: Number.MAX_SAFE_INTEGER,
    });
    now = { physics, sandbox, world };
    return world;
  };

  const rerun = (command: string, recorded: readonly JournalRow[]): string | null => {
    try {
      caused.length = 0;
      const request = decodeRequest(command);
      worldFor(request).submit(request);
    } catch (error) {
      const at = recorded[0]?.seq ?? 0;
      return `event ${at}: running its command again failed: ${errorMessage(error)}`;
    }
    return differenceOf(caused[0]?.events ?? [], recorded);
  };

  const rows = journal.events();
  let differs: string | null = null;
  let foreign: string | null = null;
  for (const { firstSeq, lastSeq, command, timedOut } of journal.transactions()) {
    const recorded: JournalRow[] = [];
    for (let seq = firstSeq; seq <= lastSeq; seq++) {
      const row = rows.next();
      if (!row.done) recorded.push(row.value);
    }
    if (recorded.some((row) => isRunEvent(row.kind))) continue;
    foreign ??= foreignActor(command, recorded);
    differs = timedOut ? acceptTimeout(state, recorded) : rerun(command, recorded);
    if (differs !== null) break;
  }
  void now?.sandbox.close();
  return [checkOf("rerun", differs), checkOf("invariant-9", foreign)];
};

/** The physics of a world that the request creates, or null if the world is there already. */
const firstPhysics = (state: State, request: Request): Physics | null => {
  if (state.world.has("world")) return null;
  if (request.kind !== "create_world") throw new Error("a journal begins with create_world");
  return request.physics;
};

/** Applies the events of a timeout without a rerun. Allows only kinds in `LEFT_BY_TIMEOUT`. */
const acceptTimeout = (state: State, recorded: readonly JournalRow[]): string | null => {
  const moved = recorded.find(({ kind }) => !LEFT_BY_TIMEOUT.has(kind));
  if (moved !== undefined) {
    return `event ${moved.seq}: ${moved.kind} was recorded, but a timeout undoes all effects`;
  }
  for (const row of recorded) {
    const problem = playEvent(state, row);
    if (problem !== null) return `event ${recorded[0]?.seq ?? 0}: ${problem}`;
  }
  commit(state);
  return null;
};

const differenceOf = (
  caused: readonly JournalEvent[],
  recorded: readonly JournalRow[],
): string | null => {
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
  if (extra === undefined) return null;
  return `event ${recorded[0]?.seq ?? 0}: its command now causes ${extra.kind} as well`;
};

/** Checks invariant 9: the principal of an event is the sender of the command that caused it. */
const foreignActor = (command: string, recorded: readonly JournalRow[]): string | null => {
  const sender = senderOf(decodeRequest(command));
  const foreign = recorded.find((row) => row.principal !== null && row.principal !== sender);
  return foreign === undefined
    ? null
    : `event ${foreign.seq}: ${foreign.principal} did not ask for this ${foreign.kind}`;
};
