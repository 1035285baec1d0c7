import type { Event, State } from "../../kernel/index.ts";
import { paymentIn } from "../../runner/index.ts";
import { decodeEvent, isBookkeeping, type JournalRow } from "../../world/index.ts";
import { AlarmSheet } from "./alarms.ts";
import { Balances } from "./balances.ts";
import { CapitalBook } from "./capital.ts";
import { IncomeSheet } from "./income.ts";
import { Roster } from "./roster.ts";
import {
  type CountedFrom,
  metricsOf,
  type RunMetrics,
  type RunReading,
  type Sheets,
  scripInPrograms,
  type Turnover,
} from "./run-metrics.ts";
import { PriceIndex, ServiceBook } from "./services.ts";
import { gini } from "./statistics.ts";
import { TallySheet, usageOfThought } from "./tally.ts";
import { type Sample, Sampling } from "./timeline.ts";
import { TradeGraph } from "./trade-network.ts";

/**
 * All figures of a run, from its events alone. Count every row of the journal past the base in
 * order, then read the figures at any moment. Memory is O(world size), not O(events).
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

  /** `state` is the state at the base; it is not kept. */
  constructor(base: CountedFrom, state: State) {
    this.#base = base;
    this.#lastSeq = base.seq;
    this.#atMs = base.at_ms;
    this.#sheets = {
      tally: new TallySheet(),
      incomes: new IncomeSheet(),
      books: new Balances(state),
      prices: new PriceIndex(),
      services: new ServiceBook(),
      capital: new CapitalBook(state),
      roster: new Roster(state, base.at_ms),
      graph: new TradeGraph(),
    };
    this.#sampling = new Sampling(base.at_ms, (atMs) => this.#sample(atMs));
  }

  /** Notes about the run count as events, and otherwise change only the alarms. */
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
      alarms: this.#alarms.periods(),
      timeline: this.#sampling.timeline(this.#atMs, agents),
    });
  }

  #passTo(atMs: number): void {
    this.#sampling.reach(atMs);
    this.#turnover = { ...this.#turnover, supplyTime: this.#supplyTimeAt(atMs) };
    this.#atMs = atMs;
  }

  #supplyTimeAt(atMs: number): number {
    return this.#turnover.supplyTime + this.#sheets.books.supply * (atMs - this.#atMs);
  }

  #countThought(row: JournalRow): void {
    const usage = usageOfThought(row);
    if (usage !== null) this.#sheets.tally.countThought(row.principal, usage);
  }

  #countEvent(event: Event): void {
    const { tally, incomes, books, prices, services, capital, roster, graph } = this.#sheets;
    const ownerOf = (hold: string): string | null => books.ownerOf(hold);
    // Before the balances take the event: holds still have their owners.
    const payment = paymentIn(event, ownerOf);
    const price = prices.count(event);
    services.count(event, ownerOf);
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
