import type { Event, EventKind, State } from "../../kernel/index.ts";
import { FLOW_KINDS, type FlowKind } from "../../run/index.ts";
import { type Flow, kindsWith } from "../describe/event-descriptions.ts";
import { flowIn } from "./movement.ts";
import { sumOf } from "./statistics.ts";

/** The kinds of events that move scrip or set scrip aside. */
export const MOVING: ReadonlySet<string> = new Set([
  ...kindsWith("flow"),
  "scrip_held",
  "hold_split",
  "hold_released",
  "proceeds_burned",
] satisfies readonly EventKind[]);

/** An amount of scrip that is set aside, and its owner. */
type Hold = { readonly owner: string; readonly amount: number };

type Flows = { readonly [Kind in FlowKind]?: number };

/** Computes each principal's scrip (free and held) from events. The state has the same sums. */
export class Balances {
  readonly #wealth = new Map<string, number>();
  readonly #beganWith = new Map<string, number>();
  readonly #holds = new Map<string, Hold>();
  readonly #received = new Map<string, Flows>();
  readonly #given = new Map<string, Flows>();
  #supply: number;

  constructor(state: State) {
    this.#supply = state.world.get("world")?.undistributed ?? 0;
    for (const { id, scrip, held } of state.accounts.rows()) this.#open(id, scrip + held);
    for (const { id, owner, amount } of state.holds.rows()) this.#holds.set(id, { owner, amount });
  }

  count(event: Event): void {
    const flow = flowIn(event, this.ownerOf);
    if (flow !== null) this.#move(flow);
    switch (event.kind) {
      case "scrip_minted":
        this.#supply += event.amount;
        return;
      case "scrip_burned":
      case "proceeds_burned":
        this.#supply -= event.amount;
        return;
      case "scrip_held":
        this.#holds.set(event.hold, { owner: event.from, amount: event.amount });
        return;
      case "hold_split": {
        const row = this.#take(event.hold, event.amount);
        if (row !== null) this.#holds.set(event.into, { owner: row.owner, amount: event.amount });
        return;
      }
      case "hold_spent":
        if (event.to === null) this.#supply -= event.amount;
        this.#take(event.hold, event.amount);
        return;
      case "hold_released": {
        const left = this.#holds.get(event.hold)?.amount ?? 0;
        this.#holds.delete(event.hold);
        if (event.into !== null) this.#take(event.into, -left);
        return;
      }
      case "proceeds_collected":
        this.#take(event.hold, event.amount);
        return;
      case "compute_bought":
        if (event.hold !== null) this.#take(event.hold, event.lots * event.price);
        return;
      default:
    }
  }

  /** All scrip of the world, with undistributed proceeds. */
  get supply(): number {
    return this.#supply;
  }

  ids(): Iterable<string> {
    return this.#wealth.keys();
  }

  has(id: string): boolean {
    return this.#wealth.has(id);
  }

  wealthOf(id: string): number {
    return this.#wealth.get(id) ?? 0;
  }

  beganWith(id: string): number {
    return this.#beganWith.get(id) ?? 0;
  }

  /** The fees of a principal that were burned. */
  burnedBy(id: string): number {
    return this.givenBy(id).burned ?? 0;
  }

  /** The amounts received, by kind of flow. The starting balance is not included. */
  receivedBy(id: string): Flows {
    return this.#received.get(id) ?? {};
  }

  givenBy(id: string): Flows {
    return this.#given.get(id) ?? {};
  }

  /** The principal that owns a hold, as of the last event, or null. */
  readonly ownerOf = (hold: string): string | null => this.#holds.get(hold)?.owner ?? null;

  #open(id: string, scrip: number): void {
    this.#wealth.set(id, scrip);
    this.#beganWith.set(id, scrip);
    // A closed account is empty. If the account is opened again, its flows start at zero.
    this.#received.delete(id);
    this.#given.delete(id);
    this.#supply += scrip;
  }

  #move({ kind, from, to, amount }: Flow): void {
    if (kind === "endowment") {
      if (to !== null) this.#open(to, amount);
      return;
    }
    if (from !== null) {
      this.#wealth.set(from, this.wealthOf(from) - amount);
      const flows = this.givenBy(from);
      this.#given.set(from, { ...flows, [kind]: (flows[kind] ?? 0) + amount });
    }
    if (to !== null) {
      this.#wealth.set(to, this.wealthOf(to) + amount);
      const flows = this.receivedBy(to);
      this.#received.set(to, { ...flows, [kind]: (flows[kind] ?? 0) + amount });
    }
  }

  #take(hold: string, amount: number): Hold | null {
    const row = this.#holds.get(hold);
    if (row === undefined) return null;
    this.#holds.set(hold, { ...row, amount: row.amount - amount });
    return row;
  }
}

export const flowSum = (flows: Flows): number => sumOf(FLOW_KINDS.map((kind) => flows[kind] ?? 0));
