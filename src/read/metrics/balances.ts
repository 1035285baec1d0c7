import type { Event, EventKind, EventOf, State } from "../../kernel/index.ts";
import { FLOW_KINDS, type FlowKind, flowKindOf } from "../../run/index.ts";
import { sumOf } from "./statistics.ts";

const KINDS = [
  "principal_created",
  "scrip_transferred",
  "scrip_minted",
  "scrip_burned",
  "scrip_held",
  "hold_split",
  "hold_spent",
  "hold_released",
  "proceeds_collected",
  "proceeds_shared",
  "proceeds_burned",
  "compute_bought",
] as const satisfies readonly EventKind[];

type Moving = EventOf<(typeof KINDS)[number]>;

/** The kinds of events that move scrip or set scrip aside. */
export const MOVING: ReadonlySet<string> = new Set(KINDS);

const moves = (event: Event): event is Moving => MOVING.has(event.kind);

/** An amount of scrip that is set aside, and its owner. */
type Hold = { readonly owner: string; readonly amount: number };

export type Flows = { readonly [Kind in FlowKind]?: number };

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
    if (moves(event)) this.#count(event);
  }

  #count(event: Moving): void {
    switch (event.kind) {
      case "principal_created":
        return this.#open(event.id, event.scrip);
      case "scrip_transferred":
        return this.#move(event, event.from, event.to);
      case "scrip_minted":
        this.#supply += event.amount;
        return this.#move(event, null, event.to);
      case "scrip_burned":
        this.#supply -= event.amount;
        return this.#move(event, event.from, null);
      case "scrip_held":
        this.#holds.set(event.hold, { owner: event.from, amount: event.amount });
        return;
      case "hold_split":
        return this.#split(event.hold, event.into, event.amount);
      case "hold_spent":
        if (event.to === null) this.#supply -= event.amount;
        this.#move(event, this.ownerOf(event.hold), event.to);
        this.#take(event.hold, event.amount);
        return;
      case "hold_released":
        return this.#release(event.hold, event.into);
      case "proceeds_collected":
        this.#move(event, this.ownerOf(event.hold), null);
        this.#take(event.hold, event.amount);
        return;
      case "compute_bought": {
        const amount = event.lots * event.price;
        this.#move({ ...event, amount }, event.buyer, null);
        if (event.hold !== null) this.#take(event.hold, amount);
        return;
      }
      case "proceeds_shared":
        return this.#move(event, null, event.to);
      case "proceeds_burned":
        this.#supply -= event.amount;
        return;
      default:
        event satisfies never;
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

  /** A null `from` or `to` is the world. */
  #move(
    event: Parameters<typeof flowKindOf>[0] & { readonly amount: number },
    from: string | null,
    to: string | null,
  ): void {
    const { amount } = event;
    const kind = flowKindOf(event);
    if (from !== null) {
      this.#wealth.set(from, this.wealthOf(from) - amount);
      add(this.#given, from, { kind, amount });
    }
    if (to !== null) {
      this.#wealth.set(to, this.wealthOf(to) + amount);
      add(this.#received, to, { kind, amount });
    }
  }

  #take(hold: string, amount: number): Hold | null {
    const row = this.#holds.get(hold);
    if (row === undefined) return null;
    this.#holds.set(hold, { ...row, amount: row.amount - amount });
    return row;
  }

  #split(hold: string, into: string, amount: number): void {
    const row = this.#take(hold, amount);
    if (row !== null) this.#holds.set(into, { owner: row.owner, amount });
  }

  #release(hold: string, into: string | null): void {
    const left = this.#holds.get(hold)?.amount ?? 0;
    this.#holds.delete(hold);
    if (into !== null) this.#take(into, -left);
  }
}

type Part = { readonly kind: FlowKind; readonly amount: number };

const add = (flows: Map<string, Flows>, id: string, { kind, amount }: Part): void => {
  const before = flows.get(id) ?? {};
  flows.set(id, { ...before, [kind]: (before[kind] ?? 0) + amount });
};

export const flowSum = (flows: Flows): number => sumOf(FLOW_KINDS.map((kind) => flows[kind] ?? 0));
