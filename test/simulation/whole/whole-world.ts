import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Dice } from "../../../src/mind/policy/dice.ts";
import { agentProblem } from "../../../src/runner/index.ts";
import {
  type Checkpoint,
  readCheckpoint,
  replay,
  stateHash,
  verifyJournal,
} from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";
import {
  copyJournal,
  dropLaterCheckpoints,
  newestCheckpoint,
  putBack,
  spoilMemory,
  tearTail,
} from "./disk.ts";
import { Finding } from "./finding.ts";
import { makeLibrary, makePeople, writePersona } from "./folders.ts";
import { cutAt, openingOf, partingOf, withJournal } from "./journals.ts";
import { configOf, type Life, type Lived, live, type Start } from "./life.ts";
import { medic } from "./people.ts";
import { type Mishap, planOf, type WorldPlan } from "./plan.ts";
import { newRoom } from "./room.ts";
import { HEALED, modelsOf } from "./speech.ts";
import { turnsIn } from "./turns.ts";
import type { Death } from "./watch.ts";

/** What came of a world, when all was well. */
export type Played = {
  readonly events: number;
  readonly lives: number;
  readonly audits: number;
  readonly repeatable: boolean;
  readonly kinds: ReadonlyMap<string, number>;
  /** How lives ended before their time. */
  readonly ends: readonly string[];
};

/** Plays the world of a seed. Throws what is wrong. */
export const playWorld = async (seed: number): Promise<Played> => {
  const root = newRoom();
  try {
    return await new Play(planOf(seed), root).run();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

type Ended = Extract<Lived, { readonly kind: "ended" }>;

/** One world on its way through mishaps, next to the same world without any. */
class Play {
  readonly #plan: WorldPlan;
  readonly #root: string;
  readonly #dice: Dice;
  readonly #ends: string[] = [];
  #lives = 0;
  #audits = 0;

  constructor(plan: WorldPlan, root: string) {
    this.#plan = plan;
    this.#root = root;
    this.#dice = Dice.of(plan.seed, "mishaps");
  }

  async run(): Promise<Played> {
    makePeople(join(this.#root, "agents"), this.#plan.people);
    makeLibrary(join(this.#root, "library"));
    const whole = await this.#live({ start: this.#startNew("whole") });
    const twin = this.#finished(whole, "the world without mishaps");
    const twinHash = this.#replayed(twin);
    for (let n = 0; n < this.#plan.glances; n += 1) await this.#glance(twin);
    const { last, hash } = await this.#throughMishaps(twin.rows);
    const parting = this.#plan.repeatable ? partingOf(twin.rows, last.rows) : null;
    if (parting !== null || (this.#plan.repeatable && hash !== twinHash)) {
      const where = parting ?? `event for event, and its state ${hash} is not ${twinHash}`;
      throw new Finding(`after mishaps the world is another one than without: ${where}`);
    }
    await this.#heal(last);
    const kinds = new Map<string, number>();
    for (const { kind } of last.rows) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { repeatable } = this.#plan;
    const events = last.rows.length;
    return {
      events,
      lives: this.#lives,
      audits: this.#audits,
      repeatable,
      kinds,
      ends: this.#ends,
    };
  }

  #startNew(out: string): Start {
    const folder = join(this.#root, "agents");
    return { kind: "new", out: join(this.#root, out), runId: `life${this.#lives}`, folder };
  }

  async #live(some: Partial<Life> & Pick<Life, "start">): Promise<Lived> {
    this.#lives += 1;
    const { settings, mood, auditedEvery } = this.#plan;
    const lived = await live({
      sets: settings,
      fetch: modelsOf(mood),
      history: [],
      auditedEvery,
      death: null,
      died: () => {},
      freeBytes: null,
      stopAfterS: null,
      checkpoints: join(this.#root, "checkpoints"),
      library: join(this.#root, "library"),
      ...some,
    });
    if (lived.kind === "ended") this.#audits += lived.audits;
    return lived;
  }

  #finished(lived: Lived, what: string): Ended {
    if (lived.kind === "refused") throw new Finding(`${what} did not begin: ${lived.problem}`);
    if (lived.problem !== null) throw new Finding(`${what} did not end well: ${lived.problem}`);
    return lived;
  }

  /** Returns the hash of the state to which a journal leads, which must be that of the run. */
  #replayed({ folder, result }: Pick<Ended, "folder" | "result">): string {
    const hash = withJournal(folder, (journal) => stateHash(replay(journal).state));
    if (result === null || result.stateHash === hash) return hash;
    throw new Finding(`the run ended with state ${result.stateHash}, its replay with ${hash}`);
  }

  /** The same of a journal in which nothing is wrong. */
  #verified(ended: Pick<Ended, "folder" | "result">): string {
    const hash = this.#replayed(ended);
    const { checks } = withJournal(ended.folder, (journal) => verifyJournal(journal, agentProblem));
    const failed = checks.filter((check) => !check.ok);
    if (failed.length === 0) return hash;
    const said = failed.map(({ name, detail }) => `${name}: ${detail}`).join("; ");
    throw new Finding(`the journal does not verify: ${said}`);
  }

  /** Cuts the world at one of its turns, and looks whether its next seconds are as they were. */
  async #glance({ folder, rows }: Ended): Promise<void> {
    const place = this.#dice.choose(turnsIn(rows, this.#dice));
    if (place === undefined) return;
    const from = await cutAt(folder, place);
    const untilMs = from.atMs + GLANCE_S * 1_000;
    const lived = await this.#live({
      start: this.#elsewhere(from),
      history: rows.slice(0, from.seq),
      stopAfterS: GLANCE_S,
    });
    if (isOver(lived)) return;
    const { rows: seen } = this.#finished(lived, `the world cut at event ${from.seq}`);
    const [then, now] = [rows, seen].map((all) => all.filter(({ atMs }) => atMs < untilMs));
    const parting = partingOf(then ?? [], now ?? []);
    if (parting === null) return;
    throw new Finding(`cut at event ${from.seq} the world continues otherwise: ${parting}`);
  }

  #elsewhere(from: Checkpoint): Extract<Start, { readonly kind: "fork" }> {
    const out = join(this.#root, "elsewhere");
    return { kind: "fork", out, runId: `life${this.#lives}`, from, folder: null, furtherS: null };
  }

  async #throughMishaps(rows: readonly Row[]): Promise<Over> {
    let place: Place = { start: this.#startNew("broken"), history: [] };
    for (const mishap of this.#plan.mishaps) {
      const copy = join(this.#root, `copy${this.#lives}`);
      const { freeBytes } = mishap;
      const death = freeBytes === null ? this.#deathOf(mishap, rows) : null;
      const died = (folder: string): void => copyJournal(folder, copy);
      const lived = await this.#live({ ...place, death, died, freeBytes });
      const next = await this.#after(lived, { ...place, mishap, copy });
      if ("hash" in next) return next;
      place = next;
    }
    const lived = await this.#live(place);
    if (isOver(lived)) return this.#over(place);
    const last = this.#finished(lived, "the world after its mishaps");
    return { last, hash: this.#verified(last) };
  }

  /** The moment of a mishap, as it lies in the world without any. */
  #deathOf({ part, write, atTurn, done }: Mishap, rows: readonly Row[]): Death {
    const places = atTurn ? turnsIn(rows, this.#dice) : [];
    const place = places[Math.floor(part * places.length)];
    const kind = place === undefined ? undefined : rows[place]?.kind;
    if (place === undefined || kind === undefined) {
      return { seq: Math.floor(part * rows.length), write, kind: null, done };
    }
    return { seq: place, write: "append", kind, done };
  }

  /** It had come to its horizon before it was cut off. */
  #over({ start, history }: Place): Over {
    if (start.kind !== "resume") throw new Finding("a world that begins is said to be over");
    const { folder } = start;
    const rows = withJournal(folder, (journal) => [...history, ...journal.events()]);
    return { last: { folder, rows }, hash: this.#verified({ folder, result: null }) };
  }

  async #after(lived: Lived, was: Was): Promise<Place | Over> {
    const { mishap } = was;
    if (lived.kind === "refused") return this.#refused(lived.problem, was);
    if (lived.result !== null) return { last: lived, hash: this.#verified(lived) };
    const { folder, rows, died, problem } = lived;
    if (died) putBack(was.copy, folder);
    else if (mishap.freeBytes === null) throw new Finding(`a life did not end well: ${problem}`);
    if (died && mishap.torn) tearTail(folder, this.#dice);
    if (mishap.spoilt) spoilMemory(folder, this.#dice);
    this.#ends.push(died ? `${mishap.torn ? "torn " : ""}${lived.cutAt}` : "disk full");
    const head = this.#whatIsLeft(lived, mishap);
    dropLaterCheckpoints(this.#checkpointsOf(folder), head);
    if (head < openingOf(rows)) return { start: this.#startNew("broken"), history: [] };
    const from = mishap.next === "resume" ? null : await this.#stateOf(lived, { mishap, head });
    if (from === null) {
      const base = withJournal(folder, (journal) => journal.baseMark()?.seq ?? 0);
      return { start: { kind: "resume", folder }, history: rows.slice(0, base) };
    }
    return { start: this.#elsewhere(from), history: rows.slice(0, from.seq) };
  }

  #refused(problem: string, { mishap, start, history }: Was): Place | Over {
    if (/has reached its horizon/.test(problem)) return this.#over({ start, history });
    if (mishap.freeBytes === null) throw new Finding(`a life did not begin: ${problem}`);
    this.#ends.push("no room to begin");
    // Nothing is left behind by one that was new, so that its name can be had again.
    return { start, history };
  }

  #checkpointsOf(folder: string): string {
    return join(this.#root, "checkpoints", basename(folder));
  }

  /** Lays what the disk has kept next to what was written. Returns the last event of it. */
  #whatIsLeft({ folder, rows, acknowledged, died }: Ended, { torn }: Mishap): number {
    return withJournal(folder, (journal) => {
      const { seq } = journal.head();
      if (seq < acknowledged && !(torn && died)) {
        throw new Finding(
          `event ${acknowledged} was acknowledged, and ${seq} is the last there is`,
        );
      }
      for (const row of journal.events()) {
        const known = rows[row.seq - 1];
        if (known?.body !== row.body || known.kind !== row.kind || known.atMs !== row.atMs) {
          throw new Finding(`event ${row.seq} is not there as it was written`);
        }
      }
      return seq;
    });
  }

  /** Null where nothing is left to live of it, because it is at its horizon. */
  async #stateOf(ended: Ended, left: Left): Promise<Checkpoint | null> {
    const checkpoint = await this.#checkpointOf(ended, left);
    const { duration_s } = configOf(this.#plan.settings).run;
    return checkpoint.atMs >= duration_s * 1000 ? null : checkpoint;
  }

  async #checkpointOf({ folder, rows }: Ended, { mishap, head }: Left): Promise<Checkpoint> {
    const kept = this.#checkpointsOf(folder);
    const file = mishap.next === "checkpoint" ? newestCheckpoint(kept, head) : null;
    if (file !== null) {
      const read = readCheckpoint(file);
      if (!read.ok) throw new Finding(`${file}: ${read.problem}`);
      return read.checkpoint;
    }
    const base = withJournal(folder, (journal) => journal.baseMark()?.seq ?? 0);
    const first = Math.max(base, openingOf(rows));
    return cutAt(folder, this.#placeToCut(rows.slice(0, head), first));
  }

  /** Mostly just before someone does the next thing. */
  #placeToCut(rows: readonly Row[], first: number): number {
    const places = this.#dice.chance(0.8) ? turnsIn(rows, this.#dice) : [];
    const turn = this.#dice.choose(places.filter((place) => place > first));
    return turn ?? first + this.#dice.pick(rows.length - first + 1);
  }

  /** No more faults, and budget for all: of those not stopped for good someone must succeed. */
  async #heal({ folder, rows }: Pick<Ended, "folder" | "rows">): Promise<void> {
    const head = withJournal(folder, (journal) => journal.head().seq);
    const from = await cutAt(folder, head);
    const agents = withJournal(folder, (journal) => [...replay(journal).state.agents.rows()]);
    const alive = agents.filter(({ state }) => state !== "stopped").map(({ id }) => String(id));
    const people = join(this.#root, "medics");
    writePersona(people, "medic", medic(alive));
    const sets = [...this.#plan.settings, ...HEALING];
    const start: Start = {
      kind: "fork",
      out: join(this.#root, "healed"),
      runId: "healed",
      from,
      folder: people,
      furtherS: HEALED_S,
    };
    const until = new Set(alive.length === 0 ? ["medic"] : alive);
    const mood = { ...this.#plan.mood, ...HEALED };
    const history = rows.slice(0, head);
    const lived = await this.#live({ start, sets, fetch: modelsOf(mood), until, history });
    const healed = this.#finished(lived, "the healed world");
    this.#replayed(healed);
    if (healed.succeeded) return;
    throw new Finding(`the healed world does not move: none of ${[...until]} succeeds at anything`);
  }
}

/** Long enough for the next thought of most. */
const GLANCE_S = 3;
const HEALED_S = 130;
const HEALING = [
  "resources.stock.llm_budget_usd=20",
  "spawn.principals_max=10000",
  "budget.max_api_cost_usd=1000",
  "llm.timeout_s=60",
  "journal.group_ms=0",
  "virtual.think_ms.llm=[100,900]",
];

/** Where a life begins, and the events before those of its journal. */
type Place = { readonly start: Start; readonly history: readonly Row[] };

type Was = Place & { readonly mishap: Mishap; readonly copy: string };

/** What has befallen a life, and the last event that is left of it. */
type Left = { readonly mishap: Mishap; readonly head: number };

type Over = { readonly last: Pick<Ended, "folder" | "rows">; readonly hash: string };

const isOver = (lived: Lived): boolean =>
  lived.kind === "refused" && lived.problem.includes("has reached its horizon");
