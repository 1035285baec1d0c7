import { decodeEvent, type Event, type State } from "../../kernel/index.ts";
import { isBookkeeping, type JournalRow } from "../../world/index.ts";
import { AlarmSheet } from "./alarms.ts";
import { Balances } from "./balances.ts";
import { CapitalBook } from "./capital.ts";
import type { CountedFrom } from "./counted-from.ts";
import { gini } from "./gini.ts";
import { IncomeSheet } from "./income.ts";
import { metricsOf, scripInPrograms } from "./metrics-of.ts";
import { paymentIn } from "./payment.ts";
import { PriceIndex } from "./price-index.ts";
import { Roster } from "./roster.ts";
import type { RunMetrics } from "./run-metrics.ts";
import type { RunReading } from "./run-reading.ts";
import { ServiceBook } from "./services.ts";
import { TallySheet } from "./tally.ts";
import { usageOfThought } from "./thought-usage.ts";
import { type Sample, Sampling, type WealthLine } from "./timeline.ts";
import { TradeGraph } from "./trade-network.ts";

/** Everything that counts events, each its own part. */
export type Sheets = {
  readonly tally: TallySheet;
  readonly incomes: IncomeSheet;
  readonly books: Balances;
  readonly prices: PriceIndex;
  readonly services: ServiceBook;
  readonly capital: CapitalBook;
  readonly roster: Roster;
  readonly graph: TradeGraph;
};

/** What was paid, and for how long how much there was to pay with. */
export type Turnover = {
  readonly payments: number;
  readonly amount: number;
  readonly spentOnServices: number;
  readonly sales: number;
  /** Σ supply × ms. */
  readonly supplyTime: number;
};

/**
 * All figures of a run, from its events alone: feed it every row of the journal past the base in
 * order, while the run goes on or long after, and ask at any moment. It needs memory for who and
 * what there is, not for what happens.
 */
export class RunMeter {
  readonly #base: CountedFrom;
  readonly #sheets: Sheets;
  readonly #alarms = new AlarmSheet();
  readonly #sampling: Sampling;
  #turnover: Turnover = { payments: 0, amount: 0, spentOnServices: 0, sales: 0, supplyTime: 0 };
  #events = 0;
  #lastSeq: number;
  #atMs: number;

  /** `begun` is the state at the base: empty where nothing was before. It is not kept. */
  constructor(base: CountedFrom, begun: State) {
    this.#base = base;
    this.#lastSeq = base.seq;
    this.#atMs = base.at_ms;
    this.#sheets = {
      tally: new TallySheet(),
      incomes: new IncomeSheet(),
      books: new Balances(begun),
      prices: new PriceIndex(),
      services: new ServiceBook(),
      capital: new CapitalBook(begun),
      roster: new Roster(begun, base.at_ms),
      graph: new TradeGraph(),
    };
    this.#sampling = new Sampling(base.at_ms, (atMs) => this.#sample(atMs));
  }

  /** Notes about the run count as events and change no figure but the alarms. */
  count(row: JournalRow): void {
    if (row.atMs > this.#atMs) this.#passTo(row.atMs);
    this.#events += 1;
    this.#lastSeq = row.seq;
    if (isBookkeeping(row.kind)) this.#alarms.count(row);
    else if (row.kind === "thought_completed") this.#countThought(row);
    else this.#countEvent(decodeEvent(row));
  }

  reading(): RunReading {
    const { tally, incomes, books, graph } = this.#sheets;
    const inPrograms = scripInPrograms(this.#sheets);
    return {
      base: this.#base,
      events: this.#events,
      lastSeq: this.#lastSeq,
      atMs: this.#atMs,
      tally: tally.total(),
      actionsOf: (id) => tally.actionsOf(id),
      incomeOf: (id) => incomes.of(id),
      accountOf: (id) => ({
        began_with: books.beganWith(id),
        paid: graph.paidBy(id),
        in_own_programs: inPrograms.get(id) ?? 0,
      }),
      alarms: this.#alarms.lines({ fromMs: this.#base.at_ms, toMs: this.#atMs }),
    };
  }

  metrics(): RunMetrics {
    const agents = this.#sheets.roster.ids();
    return metricsOf({
      base: this.#base,
      events: this.#events,
      lastSeq: this.#lastSeq,
      atMs: this.#atMs,
      sheets: this.#sheets,
      turnover: this.#turnover,
      rings: this.#alarms.rings(),
      timeline: this.#sampling.timeline(this.#atMs, agents),
    });
  }

  /** The scrip of one agent at the moments of the timeline; empty where there is no such agent. */
  wealthOf(agent: string): WealthLine["scrip"] {
    const order = this.#sheets.roster.ids().indexOf(agent);
    return order < 0 ? [] : this.#sampling.wealthOf(order, this.#atMs);
  }

  #passTo(atMs: number): void {
    this.#sampling.reach(atMs);
    this.#turnover = { ...this.#turnover, supplyTime: this.#supplyTimeAt(atMs) };
    this.#atMs = atMs;
  }

  #supplyTimeAt(atMs: number): number {
    return this.#turnover.supplyTime + this.#sheets.books.supply * (atMs - this.#atMs);
  }

  /** Nothing but what it cost enters into a figure. */
  #countThought(row: JournalRow): void {
    const usage = usageOfThought(row);
    if (usage !== null) this.#sheets.tally.countThought(row.principal, usage);
  }

  #countEvent(event: Event): void {
    const { tally, incomes, books, prices, services, capital, roster, graph } = this.#sheets;
    const payment = paymentIn(event, books);
    const price = prices.count(event);
    services.count(event, books);
    tally.count(event);
    incomes.count(event);
    books.count(event);
    capital.count(event);
    roster.count(event);
    if (payment !== null) graph.count(payment);
    if (payment === null && price === null) return;
    const { payments, amount, spentOnServices, sales } = this.#turnover;
    this.#turnover = {
      ...this.#turnover,
      payments: payments + (payment === null ? 0 : 1),
      amount: amount + (payment?.amount ?? 0),
      spentOnServices: spentOnServices + (price ?? 0),
      sales: sales + (price === null ? 0 : 1),
    };
  }

  #sample(atMs: number): Sample {
    const { tally: sheet, books, prices, roster } = this.#sheets;
    const { actions, supply, trades } = sheet.total();
    const thoughts = sheet.thoughts();
    const { aliveMs, frozenMs } = roster.frozen(atMs);
    const wealth = roster.ids().map((id) => books.wealthOf(id));
    const { amount, sales, spentOnServices } = this.#turnover;
    return {
      at_ms: atMs,
      supply: books.supply,
      price_index: prices.value,
      gini: gini(wealth),
      agents: roster.size,
      minted: supply.minted,
      burned: supply.burned,
      turnover: amount,
      trades: Object.values(trades).reduce((sum, count) => sum + count, 0),
      sales,
      spent_on_services: spentOnServices,
      actions: actions.total,
      refused: actions.failed,
      thoughts: thoughts.thoughts,
      cost_micros: thoughts.costMicros,
      api_cost_micros: thoughts.apiCostMicros,
      frozen_ms: frozenMs,
      alive_ms: aliveMs,
      supply_time: this.#supplyTimeAt(atMs),
      errors: actions.by_error,
      wealth,
    };
  }
}
