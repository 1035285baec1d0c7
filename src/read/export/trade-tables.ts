import { type EventOf, genesisId, type State } from "../../kernel/index.ts";
import { DEBT_CONTRACT, flowKindOf, paymentIn, type TradeKind, tradeIn } from "../../run/index.ts";
import {
  EVENT_COLUMNS,
  type ExportStep,
  type ExportTable,
  integer,
  orNull,
  placeOf,
  type RowOf,
  text,
} from "./export-table.ts";

const TRADE_COLUMNS = {
  ...EVENT_COLUMNS,
  trade: text("`service` (a paid call), `read`, `sale`, `loan` or `task`"),
  buyer: orNull(text("who paid; the borrower of a loan; null if the world posted the task")),
  seller: orNull(text("who was paid; the lender of a loan; the solver of a task")),
  artifact_id: orNull(text("what was called, read, sold (the first of several) or rewarded")),
  method: orNull(text("the called method")),
  price: orNull(integer("the price, the loan or the reward", "scrip")),
};

type TradeRow = RowOf<typeof TRADE_COLUMNS>;
type Paid = EventOf<"scrip_transferred"> | EventOf<"hold_spent">;

const payerOf = (event: Paid, state: State): string | null =>
  event.kind === "hold_spent" ? (state.holds.get(event.hold)?.owner ?? null) : event.from;

const ESCROW = genesisId("escrow");
const BROKERS: ReadonlySet<string> = new Set([ESCROW, DEBT_CONTRACT]);

/**
 * Finds the parties of trades. The event of a trade does not name them all, but the events before
 * it do: a price is paid before its call ends, and a broker pays and hands over during its call.
 */
class TradeFinder {
  /** Who paid for a call or a read that has not ended, by artifact. */
  readonly #payers = new Map<string, Paid & { readonly payer: string | null }>();
  #brokered: { readonly to: string; readonly amount: number }[] = [];
  #handedOver: string[] = [];

  rowsOf(step: ExportStep): readonly TradeRow[] {
    const { event, state } = step;
    if (event === null) return [];
    const trade = tradeIn(event);
    const row = trade === null ? null : this.#rowOf(step, trade);
    if (event.kind === "scrip_transferred" || event.kind === "hold_spent") {
      this.#pay({ ...event, payer: payerOf(event, state) });
    } else if (event.kind === "ownership_transferred" || event.kind === "ownership_offered") {
      if (event.from === ESCROW) this.#handedOver.push(event.artifact_id);
    } else if (event.kind === "artifact_invoked" && BROKERS.has(event.artifact_id)) {
      this.#brokered = [];
      this.#handedOver = [];
    }
    return row === null ? [] : [row];
  }

  #pay(paid: Paid & { readonly payer: string | null }): void {
    const { reason, artifact_id: artifact, to, amount, payer } = paid;
    if (payer !== null && BROKERS.has(payer) && to !== null) this.#brokered.push({ to, amount });
    const isPrice = reason === "price" || reason === "read_price";
    if (isPrice && artifact !== undefined) this.#payers.set(artifact, paid);
  }

  #rowOf(step: ExportStep, trade: TradeKind): TradeRow | null {
    const { event, state } = step;
    const about = { ...placeOf(step), trade };
    switch (event?.kind) {
      case "artifact_read": {
        const { artifact_id, by, price } = event;
        const paid = this.#payers.get(artifact_id);
        const parties = { buyer: paid?.payer ?? by, seller: paid?.to ?? null };
        return { ...about, ...parties, artifact_id, method: null, price };
      }
      case "task_solved": {
        const { task, artifact_id, solver: seller, reward: price } = event;
        const buyer = state.tasks.get(task)?.poster ?? null;
        return { ...about, buyer, seller, artifact_id, method: null, price };
      }
      case "artifact_invoked":
        return { ...about, ...(trade === "service" ? this.#service(event) : this.#deal(event)) };
      default:
        return null;
    }
  }

  #service({ artifact_id, method, caller, price, paid_to }: EventOf<"artifact_invoked">) {
    const buyer = this.#payers.get(artifact_id)?.payer ?? caller;
    return { buyer, seller: paid_to, artifact_id, method, price };
  }

  /** A sale or a loan. The broker pays the other party; it may also return change to the caller. */
  #deal({ artifact_id: broker, method, caller }: EventOf<"artifact_invoked">) {
    const deal = this.#brokered.find(({ to }) => to !== caller);
    const [other, price] = [deal?.to ?? null, deal?.amount ?? null];
    return broker === ESCROW
      ? { buyer: caller, seller: other, artifact_id: this.#handedOver[0] ?? null, method, price }
      : { buyer: other, seller: caller, artifact_id: null, method, price };
  }
}

/** All trades that `trades.by_kind` counts. */
export const TRADES: ExportTable<typeof TRADE_COLUMNS> = {
  name: "trades",
  says: "a completed trade; gifts are not trades",
  columns: TRADE_COLUMNS,
  open: () => {
    const finder = new TradeFinder();
    return { rowsOf: (step) => finder.rowsOf(step) };
  },
};

const PAYMENT_COLUMNS = {
  ...EVENT_COLUMNS,
  payer: text("who paid, such as an agent or a program with an account"),
  payee: text("who was paid"),
  amount: integer("what was paid", "scrip"),
  source: text("the source of the payee's income, such as `services`"),
  reason: text("the reason in the event, such as `price`"),
  artifact_id: orNull(text("the artifact that was paid for, if the event names one")),
};

/** All payments that `money.payments` and `money.turnover` count. */
export const PAYMENTS: ExportTable<typeof PAYMENT_COLUMNS> = {
  name: "payments",
  says: "scrip that one principal paid another ([what a payment is](report.md#the-figures))",
  columns: PAYMENT_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const { event, state } = step;
      if (event?.kind !== "scrip_transferred" && event?.kind !== "hold_spent") return [];
      const payment = paymentIn(event, () => payerOf(event, state));
      if (payment === null) return [];
      const { from: payer, to: payee, amount } = payment;
      const { reason, artifact_id = null } = event;
      const source = flowKindOf(event);
      return [{ ...placeOf(step), payer, payee, amount, source, reason, artifact_id }];
    },
  }),
};
