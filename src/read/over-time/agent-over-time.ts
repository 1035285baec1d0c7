import { asId, type Event, type State } from "../../kernel/index.ts";
import { INCOME_SOURCES } from "../../run/index.ts";
import { isInPeriod, type Period } from "../../text/index.ts";
import { decodeEvent, type JournalReader, type JournalRow } from "../../world/index.ts";
import { type LogEntry, readLogInSlices, rowAt } from "../log/log.ts";
import { Balances, MOVING } from "../metrics/balances.ts";
import { IncomeCounter } from "../metrics/income.ts";
import { type Jump, keepLargest } from "../metrics/jumps.ts";
import { type Movement, movementIn, withCreditWord } from "../metrics/movement.ts";
import { EvenSamples, type Span, samplesOf } from "./even-samples.ts";
import { explainedJumps, highestOf } from "./explained-jumps.ts";

/** The wealth, the model budget and the income of an agent over run time. */
export type AgentOverTime = Awaited<ReturnType<typeof agentOverTime>>;

const PAYMENTS_MAX = 8;
const BUDGET_CHANGES = 8;

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
      keepLargest(budgetChanges, change, BUDGET_CHANGES);
    }
    const movement = movementIn(event, row.seq, agent, books.ownerOf);
    books.count(event);
    incomes.count(event);
    if (isOfPeriod && movement !== null && movement.reason !== "endowment") {
      keepLargest(payments, movement, PAYMENTS_MAX);
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
