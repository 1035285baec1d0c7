import type { Event, EventOf } from "../../kernel/index.ts";

/** Where scrip that somebody received came from. */
export const INCOME_SOURCES = [
  "services",
  "reads",
  "fees",
  "mint",
  "mint_share",
  "tasks",
  "sales",
  "credit",
  "other",
] as const;
export type IncomeSource = (typeof INCOME_SOURCES)[number];
export type Income = { readonly [S in IncomeSource]: number };

export const NO_INCOME: Income = {
  services: 0,
  reads: 0,
  fees: 0,
  mint: 0,
  mint_share: 0,
  tasks: 0,
  sales: 0,
  credit: 0,
  other: 0,
};

/** Why scrip moves at all: what is income, what a parent gives, and what is destroyed. */
export const FLOW_KINDS = [...INCOME_SOURCES, "founding", "mint_price", "burned"] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

type Paid = EventOf<"scrip_transferred"> | EventOf<"hold_spent">;

const sourceOf = (event: Paid): IncomeSource => {
  switch (event.reason) {
    case "price":
      return "services";
    case "read_price":
      return "reads";
    case "access":
      return "fees";
    case "mint_share":
      return "mint_share";
    case "task":
      return "tasks";
    default:
      return event.kind === "scrip_transferred" ? (BROKERS.get(event.from) ?? "other") : "other";
  }
};

/** Of a movement of scrip, for both who gives and who receives. */
export const flowKindOf = (
  event: Paid | EventOf<"scrip_minted"> | EventOf<"scrip_burned">,
): FlowKind => {
  if (event.kind === "scrip_minted") return event.reason === "task" ? "tasks" : "mint";
  if (event.kind === "scrip_burned") return "burned";
  if (event.to === null) return "mint_price";
  if (event.reason === "spawn") return "founding";
  return BROKERS.get(event.to) ?? sourceOf(event);
};

/** What the standard library pays out is somebody else's money. */
const BROKERS: ReadonlyMap<string, IncomeSource> = new Map([
  ["genesis_escrow", "sales"],
  ["genesis_debt_contract", "credit"],
]);

/**
 * Adds up what each principal received, by source. What goes through a broker counts net of what
 * was given to it, so that one's own money coming back is no income.
 */
export class IncomeSheet {
  readonly #incomes = new Map<string, Income>();

  count(event: Event): void {
    switch (event.kind) {
      case "scrip_transferred":
      case "hold_spent":
        // What a founder gives is capital, not income.
        if (event.to === null || event.reason === "spawn") return;
        this.#add(event.to, sourceOf(event), event.amount);
        if (event.kind === "scrip_transferred") this.#takeBack(event);
        return;
      case "scrip_minted":
        this.#add(event.to, event.reason === "task" ? "tasks" : "mint", event.amount);
        return;
      default:
    }
  }

  /** Whoever received anything. */
  ids(): Iterable<string> {
    return this.#incomes.keys();
  }

  of(id: string): Income {
    const { sales, credit, ...others } = this.#incomes.get(id) ?? NO_INCOME;
    return { ...others, sales: Math.max(0, sales), credit: Math.max(0, credit) };
  }

  #takeBack({ from, to, amount }: EventOf<"scrip_transferred">): void {
    const source = BROKERS.get(to);
    if (source !== undefined) this.#add(from, source, -amount);
  }

  #add(id: string, source: IncomeSource, amount: number): void {
    const before = this.#incomes.get(id) ?? NO_INCOME;
    this.#incomes.set(id, { ...before, [source]: before[source] + amount });
  }
}

/** All of it. */
export const earnedIn = (income: Income): number =>
  INCOME_SOURCES.reduce((sum, source) => sum + income[source], 0);

/** What was sold: programs, reading, access, artifacts. */
export const revenueIn = ({ services, reads, fees, sales }: Income): number =>
  services + reads + fees + sales;

/** Several incomes as one. */
export const incomeOfAll = (incomes: readonly Income[]): Income => {
  const sum: { [S in IncomeSource]: number } = { ...NO_INCOME };
  for (const income of incomes) for (const source of INCOME_SOURCES) sum[source] += income[source];
  return sum;
};
