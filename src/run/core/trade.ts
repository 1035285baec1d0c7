import { type Event, type EventOf, genesisId, isReserved } from "../../kernel/index.ts";

export const INCOME_SOURCES = [
  "services",
  "reads",
  "fees",
  "mint",
  "proceeds",
  "tasks",
  "sales",
  "credit",
  "other",
] as const;
export type IncomeSource = (typeof INCOME_SOURCES)[number];

/**
 * Why scrip moves: as income, as a new agent's capital, as a price paid to the world, because the
 * run's schedule says so, or to be burned. The income `proceeds` is a share of such prices.
 */
export const FLOW_KINDS = [
  ...INCOME_SOURCES,
  "founding",
  "mint_price",
  "compute_price",
  "schedule",
  "burned",
] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/**
 * `service`: a paid call. `read`: a paid read. `sale`: an artifact bought through the escrow.
 * `loan`: a loan paid out. `task`: a task rewarded. Gifts are not trades.
 */
export type TradeKind = "service" | "read" | "sale" | "loan" | "task";

/** The contract for loans. Its transfers are not payments but loans and repayments. */
export const DEBT_CONTRACT = genesisId("debt_contract");

type Broker = {
  /** Scrip that goes to the broker or comes from the broker counts as this kind of income. */
  readonly source: IncomeSource;
  /** The methods of the broker that complete a trade between two other principals. */
  readonly trades: ReadonlyMap<string, TradeKind>;
};

/** Contracts of the standard library that pass scrip from one principal to another. */
const BROKERS: ReadonlyMap<string, Broker> = new Map([
  [genesisId("escrow"), { source: "sales", trades: new Map([["purchase", "sale"]]) }],
  [DEBT_CONTRACT, { source: "credit", trades: new Map([["accept", "loan"]]) }],
]);

export const tradeIn = (event: Event): TradeKind | null => {
  switch (event.kind) {
    case "artifact_invoked":
      if (event.paid_to !== null) return "service";
      return BROKERS.get(event.artifact_id)?.trades.get(event.method) ?? null;
    case "artifact_read":
      return event.price > 0 ? "read" : null;
    case "task_solved":
      return "task";
    default:
      return null;
  }
};

type Paid = EventOf<"scrip_transferred"> | EventOf<"hold_spent">;
type Moved =
  | Paid
  | EventOf<"scrip_minted" | "scrip_burned">
  | EventOf<"proceeds_collected" | "proceeds_shared" | "compute_bought">;

/** Returns why an event moves scrip. The result is the same for the giver and the receiver. */
export const flowKindOf = (event: Moved): FlowKind => {
  const isIssue = event.kind === "scrip_minted" || event.kind === "scrip_burned";
  if (isIssue && event.reason === "schedule") return "schedule";
  if (event.kind === "scrip_minted") return event.reason === "task" ? "tasks" : "mint";
  if (event.kind === "proceeds_collected") return "mint_price";
  if (event.kind === "compute_bought") return "compute_price";
  if (event.kind === "proceeds_shared") return "proceeds";
  if (event.kind === "scrip_burned" || event.to === null) return "burned";
  if (event.reason === "spawn") return "founding";
  const payer = event.kind === "scrip_transferred" ? event.from : "";
  const source = BROKERS.get(event.to)?.source ?? SOURCES.get(event.reason);
  return source ?? BROKERS.get(payer)?.source ?? "other";
};

const SOURCES: ReadonlyMap<string, IncomeSource> = new Map([
  ["price", "services"],
  ["read_price", "reads"],
  ["access", "fees"],
  ["task", "tasks"],
]);

export const isIncome = (kind: FlowKind): kind is IncomeSource =>
  INCOME_SOURCES.some((source) => source === kind);

export const isBroker = (id: string): boolean => BROKERS.has(id);

/**
 * Returns the payment that an event completes, or null. A transfer to a genesis artifact completes
 * no payment. If a genesis artifact forwards scrip, the payer is the principal that acted. If this
 * principal is also the receiver, the transfer is a refund and not a payment.
 * @param ownerOf returns the owner that a hold had before the event, or null if unknown.
 */
export const paymentIn = (event: Event, ownerOf: (hold: string) => string | null) => {
  if (event.kind !== "scrip_transferred" && event.kind !== "hold_spent") return null;
  const { to, amount, reason } = event;
  // Capital for a spawned agent is not a payment.
  if (to === null || isReserved(to) || reason === "spawn") return null;
  const source = event.kind === "scrip_transferred" ? event.from : ownerOf(event.hold);
  if (source === null || source === DEBT_CONTRACT) return null;
  const from = isReserved(source) ? event.principal : source;
  return from === null || from === to ? null : { from, to, amount };
};
