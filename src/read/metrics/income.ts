import type { Event, EventOf } from "../../kernel/index.ts";
import {
  flowKindOf,
  INCOME_SOURCES,
  type IncomeSource,
  isBroker,
  isIncome,
} from "../../run/index.ts";
import { sumOf } from "./statistics.ts";

export type Income = { readonly [S in IncomeSource]: number };

export const NO_INCOME: Income = {
  services: 0,
  reads: 0,
  fees: 0,
  mint: 0,
  proceeds: 0,
  tasks: 0,
  sales: 0,
  credit: 0,
  other: 0,
};

/** The income of each principal by source. Scrip given to a broker is negative income. */
export class IncomeCounter {
  readonly #incomes = new Map<string, Income>();

  count(event: Event): void {
    if (!isReceipt(event)) return;
    const source = flowKindOf(event);
    if (event.to === null || !isIncome(source)) return;
    this.#add(event.to, source, event.amount);
    if (event.kind === "scrip_transferred" && isBroker(event.to)) {
      this.#add(event.from, source, -event.amount);
    }
  }

  ids(): Iterable<string> {
    return this.#incomes.keys();
  }

  of(id: string): Income {
    const { sales, credit, ...others } = this.#incomes.get(id) ?? NO_INCOME;
    return { ...others, sales: Math.max(0, sales), credit: Math.max(0, credit) };
  }

  #add(id: string, source: IncomeSource, amount: number): void {
    const before = this.#incomes.get(id) ?? NO_INCOME;
    this.#incomes.set(id, { ...before, [source]: before[source] + amount });
  }
}

const RECEIPTS = ["scrip_transferred", "hold_spent", "scrip_minted", "proceeds_shared"] as const;

const isReceipt = (event: Event): event is EventOf<(typeof RECEIPTS)[number]> =>
  RECEIPTS.some((kind) => kind === event.kind);

export const earnedIn = (income: Income): number =>
  sumOf(INCOME_SOURCES.map((source) => income[source]));

/** The income from sales of calls, reads, access and artifacts. */
export const revenueIn = ({ services, reads, fees, sales }: Income): number =>
  services + reads + fees + sales;

export const incomeOfAll = (incomes: readonly Income[]): Income => {
  const sum: { [S in IncomeSource]: number } = { ...NO_INCOME };
  for (const income of incomes) for (const source of INCOME_SOURCES) sum[source] += income[source];
  return sum;
};
