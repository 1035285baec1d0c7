import {
  artifactNamed,
  Balances,
  eventSentence,
  IncomeCounter,
  type Jump,
  type JumpCounter,
  keepLargest,
  type LogEntry,
  MOVING,
  type Movement,
  movementIn,
  readLogInSlices,
  rowAt,
  type Timeline,
  withCreditWord,
} from "../../figures/index.ts";
import { asId, type Event, type State } from "../../kernel/index.ts";
import { INCOME_SOURCES } from "../../run/index.ts";
import { isInPeriod, type Period } from "../../text/index.ts";
import { decodeEvent, type JournalReader, type JournalRow } from "../../world/index.ts";

const SAMPLES = 160;

/**
 * Takes samples at equal intervals from the start to the end of a span of run time that is over.
 * The last sample is taken at its end, when all events are counted.
 */
class EvenSamples<Sample> {
  readonly #fromMs: number;
  readonly #stepMs: number;
  readonly #take: () => Sample;
  readonly #atMs: number[] = [];
  readonly #samples: Sample[] = [];

  /** `take` returns the values after all events that are counted so far. Times are in ms. */
  constructor({ fromMs, toMs }: Period, take: () => Sample) {
    this.#fromMs = fromMs;
    this.#stepMs = Math.max(1, (toMs - fromMs) / SAMPLES);
    this.#take = take;
  }

  /** Takes all samples due before `atMs`. Call it before an event at `atMs` is counted. */
  reach(atMs: number): void {
    for (let next = this.#next(); next < atMs && this.#atMs.length < SAMPLES; next = this.#next()) {
      this.#atMs.push(Math.round(next));
      this.#samples.push(this.#take());
    }
  }

  /** All samples, with one at `toMs`. */
  upTo(toMs: number): { readonly at_ms: readonly number[]; readonly samples: readonly Sample[] } {
    this.reach(toMs);
    return { at_ms: [...this.#atMs, toMs], samples: [...this.#samples, this.#take()] };
  }

  #next(): number {
    return this.#fromMs + this.#atMs.length * this.#stepMs;
  }
}

/**
 * Selects the samples of a chart that shows a period: those in it, and the last one at or before
 * its start, so that a period between two samples has one. `atMs` are the times of all samples.
 */
export const samplesOf = (
  { fromMs, toMs }: Period,
  atMs: readonly number[],
): (<Sample>(samples: readonly Sample[]) => Sample[]) => {
  const first = Math.max(
    0,
    atMs.findLastIndex((ms) => ms <= fromMs),
  );
  const end = atMs.findLastIndex((ms) => ms <= toMs) + 1;
  return (samples) => samples.slice(first, end);
};

/** The part of a run that a history tells: the events after `after`, up to `upTo`. */
export type Span = Period & { readonly after: number; readonly upTo: number };

/** A large change of a value, with the sentence of the event that caused it. */
export type ExplainedJump = Jump & { readonly says: string };

/** The large changes in the charts of the overview. */
export type RunJumps = {
  readonly wealth: readonly (ExplainedJump & { readonly agent: string })[];
  readonly prices: readonly ExplainedJump[];
};

/** The number of agents with a line of wealth in the overview. Only their changes have marks. */
export const WEALTH_LINES = 12;

/** A chart with more marks would be hard to read. */
const MARKS_MAX = 5;
/** A smaller change can hardly be seen: this share of the highest value. */
const SHARE_MIN = 0.05;

/** The largest changes that can be seen in a chart up to `highest`, in order of time. */
const explainedJumps = <Each extends Jump>(
  journal: JournalReader,
  jumps: readonly Each[],
  highest: number,
): readonly (Each & ExplainedJump)[] =>
  jumps
    .filter(({ amount }) => Math.abs(amount) >= SHARE_MIN * highest)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq)
    .slice(0, MARKS_MAX)
    .sort((a, b) => a.seq - b.seq)
    .map((jump) => {
      const row = rowAt(journal, jump.seq);
      if (row === null) return { ...jump, says: "" };
      return { ...jump, at_ms: row.atMs, says: eventSentence(row) };
    });

/** `jumps` and the timeline are those of the run of `journal`, or of a period of it. */
export const runJumps = (
  journal: JournalReader,
  jumps: Pick<JumpCounter, "prices" | "wealthOf">,
  { wealth: lines, price_index: prices }: Pick<Timeline, "wealth" | "price_index">,
): RunJumps => {
  const wealth = lines
    .slice(0, WEALTH_LINES)
    .flatMap(({ id: agent }) => jumps.wealthOf(agent).map((jump) => ({ ...jump, agent })));
  return {
    wealth: explainedJumps(journal, wealth, highestOf(lines.flatMap(({ scrip }) => scrip))),
    prices: explainedJumps(journal, jumps.prices, highestOf(prices)),
  };
};

const highestOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** The wealth, the model budget and the income of an agent over run time. */
export type AgentOverTime = Awaited<ReturnType<typeof agentOverTime>>;

/** The events that change a model budget, besides thoughts and `compute_bought`. */
const BUDGET: ReadonlySet<string> = new Set<Event["kind"]>([
  "compute_granted",
  "budget_issued",
  "budget_withdrawn",
  "budget_transferred",
]);

/**
 * Reads the events of a span. `earlier` is the state before its first event. Jumps and payments are
 * those of `period`.
 */
export const agentOverTime = async (
  journal: JournalReader,
  agent: string,
  span: Span,
  earlier: State,
  period: Period = span,
) => {
  const books = new Balances(earlier);
  const incomes = new IncomeCounter();
  const payments: Movement[] = [];
  const budgetChanges: Jump[] = [];
  let budgetMicros = earlier.accounts.get(asId(agent))?.llmBudgetMicros ?? 0;
  const samples = new EvenSamples(span, () => ({
    wealth: books.has(agent) ? books.wealthOf(agent) : null,
    budgetMicros: books.has(agent) ? budgetMicros : null,
    income: incomes.of(agent),
  }));
  const count = (entry: LogEntry): void => {
    const { row } = entry;
    samples.reach(row.atMs);
    const event = concerns(row, agent) ? entry.event : null;
    if (event === null) return;
    const isOfPeriod = isInPeriod(period, row.atMs);
    const before = budgetMicros;
    budgetMicros = Math.max(0, budgetMicros + budgetChange(event, agent));
    if (isOfPeriod && budgetMicros !== before && event.kind !== "principal_created") {
      const change = { seq: row.seq, at_ms: row.atMs, amount: budgetMicros - before };
      keepLargest(budgetChanges, change, 8);
    }
    const movement = movementIn(event, row.seq, agent, books.ownerOf);
    books.count(event);
    incomes.count(event);
    if (isOfPeriod && movement !== null && movement.reason !== "endowment") {
      keepLargest(payments, movement, 8);
    }
  };
  const { after, upTo } = span;
  await readLogInSlices(journal, [{ event: count }], { after, upTo });
  const { at_ms, samples: taken } = samples.upTo(span.toMs);
  const shownOf = samplesOf(period, at_ms);
  const wealth = taken.map((sample) => sample.wealth);
  const budgets = taken.map((sample) => sample.budgetMicros);
  return {
    at_ms,
    wealth,
    budget_micros: budgets,
    /** The period that `jumps` and `payments` are of. */
    period: { from_ms: period.fromMs, to_ms: period.toMs },
    /** The largest changes that can be seen in the curves, with what caused them. */
    jumps: {
      wealth: explainedJumps(journal, payments, highestOf(shownOf(wealth))),
      budget: explainedJumps(journal, budgetChanges, highestOf(shownOf(budgets))),
    },
    /** The sum of each kind of income so far, for the kinds with any income. */
    income: INCOME_SOURCES.map((source) => {
      return { source, scrip: taken.map(({ income }) => income[source]) };
    }).filter(({ scrip }) => scrip.some((amount) => amount > 0)),
    /** The largest movements of scrip, in order of time. */
    payments: payments
      .map((movement) => wordedMovement(journal, movement))
      .toSorted((a, b) => a.seq - b.seq),
  };
};

const concerns = ({ kind, principal }: JournalRow, agent: string): boolean =>
  MOVING.has(kind) || BUDGET.has(kind) || (principal === agent && kind.startsWith("thought_"));

/** By how much an event changes the model budget of an agent, in micro-dollars. */
const budgetChange = (event: Event, agent: string): number => {
  switch (event.kind) {
    case "principal_created":
      return event.id === agent ? event.llm_budget_micros : 0;
    case "thought_completed":
    case "thought_failed":
    case "thought_dropped":
      return event.principal === agent ? -event.usage.cost_micros : 0;
    case "compute_bought":
      return event.buyer === agent ? event.micros : 0;
    case "compute_granted":
    case "budget_issued":
      return event.to === agent ? event.micros : 0;
    case "budget_withdrawn":
      return event.from === agent ? -event.micros : 0;
    case "budget_transferred": {
      const given = event.from === agent ? event.micros : 0;
      return (event.to === agent ? event.micros : 0) - given;
    }
    default:
      return 0;
  }
};

const wordedMovement = (journal: JournalReader, movement: Movement): Movement => {
  const row = rowAt(journal, movement.seq);
  return row === null ? movement : withCreditWord(journal, decodeEvent(row), movement);
};

/** The price, the use and the revenue of an artifact over run time, and what changed it. */
export type ArtifactOverTime = Awaited<ReturnType<typeof artifactOverTime>>;

/** A new version or a new owner. */
type ArtifactChange = {
  readonly seq: number;
  readonly at_ms: number;
  readonly what: "version" | "owner" | "deleted";
  /** The number of the version, or the new owner. Empty for a deletion. */
  readonly to: string;
  /** The principal that wrote the version, or the owner before. */
  readonly by: string;
  /** The price of a call after a change of the price, else null. */
  readonly price: number | null;
};

const KINDS: ReadonlySet<string> = new Set([
  "artifact_written",
  "workspace_changed",
  "ownership_transferred",
  "artifact_deleted",
  "artifact_invoked",
  "invocation_failed",
  "artifact_read",
]);

/** Counts of one artifact, as the state of the world counts them. */
class ArtifactCounter {
  readonly #id: string;
  readonly changes: ArtifactChange[] = [];
  #price: number | null;
  #calls = 0;
  #failed = 0;
  #revenue = 0;

  constructor(id: string, earlier: State) {
    this.#id = id;
    this.#price = artifactNamed(earlier, id)?.price ?? null;
  }

  sample() {
    const [price, calls, failed] = [this.#price, this.#calls, this.#failed];
    return { price, calls, failed, revenue: this.#revenue };
  }

  count(event: Event, seq: number): void {
    if (!("artifact_id" in event) || event.artifact_id !== asId(this.#id)) return;
    const { at_ms, principal } = event;
    switch (event.kind) {
      case "artifact_written": {
        const { price = this.#price ?? 0 } = event.fields;
        const isNew = price !== this.#price;
        this.#price = price;
        const version = { what: "version", to: String(event.version), by: event.by } as const;
        this.changes.push({ seq, at_ms, ...version, price: isNew ? price : null });
        return;
      }
      case "workspace_changed": {
        const version = { what: "version", to: String(event.version) } as const;
        this.changes.push({ seq, at_ms, ...version, by: principal ?? "", price: null });
        return;
      }
      case "ownership_transferred":
        this.changes.push({ seq, at_ms, what: "owner", to: event.to, by: event.from, price: null });
        return;
      case "artifact_deleted":
        this.#price = null;
        this.changes.push({ seq, at_ms, what: "deleted", to: "", by: event.by, price: null });
        return;
      case "artifact_invoked":
        this.#calls += 1;
        this.#revenue += event.paid_to === null ? 0 : event.price;
        return;
      case "invocation_failed":
        this.#failed += 1;
        return;
      case "artifact_read":
        this.#revenue += event.price;
        return;
      default:
    }
  }
}

/** Reads the events of a span. `earlier` is the state before its first event. */
export const artifactOverTime = async (
  journal: JournalReader,
  artifact: string,
  span: Span,
  earlier: State,
) => {
  const counter = new ArtifactCounter(artifact, earlier);
  const samples = new EvenSamples(span, () => counter.sample());
  // An id is JSON text without escapes, so the body of an event of the artifact contains it.
  const named = `"artifact_id":${JSON.stringify(artifact)}`;
  const count = (entry: LogEntry): void => {
    const { kind, body, atMs, seq } = entry.row;
    samples.reach(atMs);
    const event = KINDS.has(kind) && body.includes(named) ? entry.event : null;
    if (event !== null) counter.count(event, seq);
  };
  const { after, upTo } = span;
  await readLogInSlices(journal, [{ event: count }], { after, upTo });
  const { at_ms, samples: taken } = samples.upTo(span.toMs);
  return {
    at_ms,
    price: taken.map(({ price }) => price),
    /** Sums so far. A call that failed is not one of `calls`. */
    calls: taken.map(({ calls }) => calls),
    failed: taken.map(({ failed }) => failed),
    revenue: taken.map(({ revenue }) => revenue),
    /** The newest versions and owners, in order of time. */
    changes: counter.changes.slice(-200),
  };
};
