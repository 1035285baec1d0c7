import type { Ring } from "./alarms.ts";
import type { Flows } from "./balances.ts";
import type { Capital } from "./capital.ts";
import type { Income } from "./income.ts";
import type { LorenzPoint } from "./lorenz.ts";
import type { Tally } from "./tally.ts";
import type { Timeline } from "./timeline.ts";
import type { TradeNetwork } from "./trade-network.ts";

/**
 * All figures of a run up to one moment, as plain JSON; `docs/report.md` says what each means.
 * Money is in scrip, model money in micro-dollars, shares are between 0 and 1, and time is run
 * time: a replay gives the same.
 */
export type RunMetrics = {
  /** What has happened is counted from after this event and moment on. */
  readonly from_seq: number;
  readonly from_ms: number;
  readonly last_seq: number;
  readonly at_ms: number;
  readonly events: number;
  readonly money: MoneyMetrics;
  readonly wealth: WealthMetrics;
  readonly revenue: RevenueMetrics;
  readonly trades: { readonly total: number; readonly by_kind: Tally["trades"] };
  readonly network: TradeNetwork;
  readonly capital: Capital;
  readonly work: WorkMetrics;
  readonly lives: Tally["lives"] & {
    /** Of the agents' time that was not yet over, what they spent frozen. */
    readonly frozen_share: number;
  };
  /** Agents in the order they were created, then whoever else has, had or earned scrip, by id. */
  readonly principals: readonly PrincipalMetrics[];
  /** Programs that were paid for, one a program and seller, the greatest revenue first. */
  readonly services: readonly ServiceMetrics[];
  /** When which alarm rang, in the order in which they began. */
  readonly alarms: readonly Ring[];
  readonly timeline: Timeline;
};

export type MoneyMetrics = {
  /** All scrip there is. */
  readonly supply: number;
  readonly minted: number;
  readonly burned: number;
  /** By the reason that the events give. */
  readonly minted_by: { readonly [reason: string]: number };
  readonly burned_by: { readonly [reason: string]: number };
  /** Scrip that one principal paid another (`payment.ts`), and how often. */
  readonly turnover: number;
  readonly payments: number;
  /** How often the average scrip changed hands in a minute: turnover / (mean supply × minutes). */
  readonly velocity_per_min: number;
  /** 1 at the beginning (`price-index.ts`). */
  readonly price_index: number;
};

/** Over the agents' scrip, free and held. */
export type WealthMetrics = {
  readonly agents: number;
  readonly total: number;
  readonly mean: number;
  readonly median: number;
  readonly gini: number;
  readonly lorenz: readonly LorenzPoint[];
  readonly richest: string | null;
  readonly richest_share: number;
};

/** Revenue is what was sold: services, reads, fees for access, and artifacts. */
export type RevenueMetrics = {
  readonly total: number;
  /** Of all principals, everything they received. */
  readonly by_source: Income;
  /** Σ share² over the principals' revenue: 1 / n when n earn alike, 1 when one earns all. */
  readonly hhi: number;
  /** 0: who one is says nothing of what one lives on; 1: it says all (`specialisation.ts`). */
  readonly division_of_labour: number;
};

export type WorkMetrics = {
  readonly actions: number;
  readonly succeeded: number;
  readonly success_rate: number;
  /** The most frequent first. */
  readonly top_errors: readonly { readonly code: string; readonly times: number }[];
  readonly thoughts: number;
  readonly thoughts_failed: number;
  readonly actions_per_min: number;
  readonly thoughts_per_min: number;
  /** What thinking cost, and the part of it that is owed to providers. */
  readonly cost_micros: number;
  readonly api_cost_micros: number;
};

export type PrincipalMetrics = {
  readonly id: string;
  readonly agent: boolean;
  /** Of an agent: running, sleeping, frozen, paused, stopped or bankrupt; null for others. */
  readonly state: string | null;
  /** Free and held. */
  readonly wealth: number;
  /** What programs have that it owns, which is not its own until they hand it on. */
  readonly in_own_programs: number;
  /** began_with + received - given = wealth. */
  readonly began_with: number;
  readonly received: number;
  readonly given: number;
  readonly received_by: Flows;
  readonly given_by: Flows;
  readonly earned: number;
  readonly income: Income;
  /** What it lives on: 1 from one source, 0 from all alike; null where it earned nothing. */
  readonly specialisation: number | null;
  readonly revenue: number;
  /** Paid to others, as in the turnover. */
  readonly paid: number;
  readonly burned: number;
  readonly actions: number;
  readonly succeeded: number;
  readonly thoughts: number;
  readonly cost_micros: number;
  readonly api_cost_micros: number;
  readonly frozen_share: number;
};

export type ServiceMetrics = {
  readonly artifact: string;
  /** Whoever got the money. */
  readonly seller: string;
  readonly sales: number;
  readonly revenue: number;
  /** Whose money it was. */
  readonly customers: number;
  readonly first_price: number;
  readonly last_price: number;
};
