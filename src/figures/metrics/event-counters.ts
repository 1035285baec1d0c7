import { type Event, type EventOf, isReserved, type State } from "../../kernel/index.ts";
import { ActivityCounter } from "./activity.ts";
import { Balances } from "./balances.ts";
import { Goods } from "./goods.ts";
import { PriceIndex } from "./price-index.ts";
import { Roster } from "./roster.ts";
import { IncomeCounter, ServiceCounter, TradeGraph } from "./trade.ts";

/** Counts agents' programs and calls. A nested call's event comes before its caller's event. */
class CapitalCounter {
  /** The owner of each program. */
  readonly #owners = new Map<string, string>();
  readonly #reused = new Set<string>();
  /** `#open[d]`: the longest chain of programs so far below the unfinished call at depth d - 1. */
  #open: (readonly string[])[] = [];
  #longest: readonly string[] = [];
  #written = 0;
  #deleted = 0;
  #calls = 0;
  #callsByOthers = 0;
  #callsByPrograms = 0;

  constructor(state: State) {
    for (const { id, code, owner } of state.artifacts.rows()) {
      if (code !== null && !isReserved(id)) this.#owners.set(id, owner);
    }
  }

  count(event: Event): void {
    switch (event.kind) {
      case "artifact_written":
        return this.#write(event);
      case "ownership_transferred":
        if (this.#owners.has(event.artifact_id)) this.#owners.set(event.artifact_id, event.to);
        return;
      case "artifact_deleted":
        if (this.#owners.has(event.artifact_id)) this.#deleted += 1;
        return;
      case "artifact_invoked":
        return this.#call(event);
      case "invocation_failed":
        this.#open.length = Math.min(this.#open.length, event.depth + 1);
        if (event.depth === 0) this.#open = [];
        return;
      default:
    }
  }

  /** Returns the owner of a program, or null if `id` is not a program of an agent. */
  ownerOf(id: string): string | null {
    return this.#owners.get(id) ?? null;
  }

  capital() {
    const programs = this.#owners.size;
    return {
      /** The number of programs, including deleted programs and programs whose code was removed. */
      programs,
      /** The number of programs written and of programs deleted since counting started. */
      written: this.#written,
      deleted: this.#deleted,
      /** The number of programs that a principal called without owning the program at that time. */
      reused: this.#reused.size,
      reuse_share: programs === 0 ? 0 : this.#reused.size / programs,
      /** The number of completed calls of programs, at any depth. */
      calls: this.#calls,
      calls_by_others: this.#callsByOthers,
      calls_by_programs: this.#callsByPrograms,
      /** The longest chain of programs in which each program calls the next, and its length. */
      depth: this.#longest.length,
      longest_chain: this.#longest,
    };
  }

  #write({ artifact_id: id, owner, fields }: EventOf<"artifact_written">): void {
    if (isReserved(id) || typeof fields.code !== "string") return;
    if (!this.#owners.has(id)) this.#written += 1;
    this.#owners.set(id, owner);
  }

  #call({ artifact_id: id, depth, caller, principal }: EventOf<"artifact_invoked">): void {
    const owner = this.#owners.get(id);
    const below = this.#open[depth + 1] ?? [];
    const chain = owner === undefined ? below : [id, ...below];
    const before = this.#open[depth] ?? [];
    this.#open.length = Math.min(this.#open.length, depth + 1);
    while (this.#open.length < depth) this.#open.push([]);
    this.#open[depth] = chain.length > before.length ? chain : before;
    if (depth === 0) {
      if (chain.length > this.#longest.length) this.#longest = chain;
      this.#open = [];
    }
    if (owner === undefined) return;
    this.#calls += 1;
    if (this.#owners.has(caller)) this.#callsByPrograms += 1;
    if (principal === owner) return;
    this.#callsByOthers += 1;
    this.#reused.add(id);
  }
}

/** Counts the prices that agents pay to the world, what becomes of them, and its sales of budget. */
class WorldSales {
  readonly #undistributedAtStart: number;
  #fromMint = 0;
  #shared = 0;
  #burned = 0;
  #sales = 0;
  #offered = 0;
  #asked = 0;
  #sold = 0;
  #paid = 0;
  #micros = 0;
  #lastPrice: number | null;
  readonly #buyers = new Set<string>();

  constructor(state: State) {
    const world = state.world.get("world");
    this.#undistributedAtStart = world?.undistributed ?? 0;
    this.#lastPrice = world?.compute.results.at(-1)?.price ?? null;
  }

  count(event: Event): void {
    switch (event.kind) {
      case "proceeds_collected":
        this.#fromMint += event.amount;
        return;
      case "proceeds_shared":
        this.#shared += event.amount;
        return;
      case "proceeds_burned":
        this.#burned += event.amount;
        return;
      case "compute_sold":
        this.#sales += 1;
        this.#offered += event.offered;
        this.#asked += event.asked;
        this.#lastPrice = event.price;
        return;
      case "compute_bought":
        this.#sold += event.lots;
        this.#paid += event.lots * event.price;
        this.#micros += event.micros;
        this.#buyers.add(event.buyer);
        return;
      case "compute_granted":
        this.#micros += event.micros;
        return;
      default:
    }
  }

  /**
   * The flows of scrip since the start, and two stocks: what waited for a sharing at the start and
   * what waits now. `collected` + `undistributed_at_start` = `shared` + `burned` + `undistributed`.
   */
  proceeds() {
    const collected = this.#fromMint + this.#paid;
    return {
      collected,
      collected_by: { mint: this.#fromMint, compute: this.#paid },
      undistributed_at_start: this.#undistributedAtStart,
      shared: this.#shared,
      burned: this.#burned,
      undistributed: this.#undistributedAtStart + collected - this.#shared - this.#burned,
    };
  }

  /** The sales of model budget by the world. */
  compute() {
    return {
      sales: this.#sales,
      /** Lots that sales offered, that buyers asked for at sales, and that were sold. */
      offered: this.#offered,
      asked: this.#asked,
      sold: this.#sold,
      paid: this.#paid,
      /** Scrip per lot. Null if nothing was sold, or if there was no sale with a price. */
      mean_price: this.#sold === 0 ? null : this.#paid / this.#sold,
      last_price: this.#lastPrice,
      buyers: this.#buyers.size,
      /** The model budget that the world sold or divided, in micro-dollars. */
      issued_micros: this.#micros,
    };
  }
}

/** All event counters of a `RunMeter`. `state` is the state before the first event. */
export const newCounters = (state: State, atMs: number) => ({
  activity: new ActivityCounter(),
  incomes: new IncomeCounter(),
  prices: new PriceIndex(),
  services: new ServiceCounter(),
  capital: new CapitalCounter(state),
  roster: new Roster(state, atMs),
  graph: new TradeGraph(),
  sales: new WorldSales(state),
  goods: new Goods(state),
  /** Must be last: other counters read the owner of a hold before `balances` changes the hold. */
  balances: new Balances(state),
});

export type EventCounters = ReturnType<typeof newCounters>;
