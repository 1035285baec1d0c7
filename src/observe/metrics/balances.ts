import type { Event, EventKind, EventOf, State } from "../../kernel/index.ts";

const KINDS = [
  "principal_created",
  "scrip_transferred",
  "scrip_minted",
  "scrip_burned",
  "scrip_held",
  "hold_split",
  "hold_spent",
  "hold_released",
] as const satisfies readonly EventKind[];

type Moving = EventOf<(typeof KINDS)[number]>;

/** The kinds of events that move scrip or set it aside; all others need not be read for it. */
export const MOVING: ReadonlySet<string> = new Set(KINDS);

const moves = (event: Event): event is Moving => MOVING.has(event.kind);

/** A sum set aside, and whose it is. */
type Hold = { readonly owner: string; readonly amount: number };

/** All scrip, free and held, as the events move it: the same sums as the accounts of the state. */
export class Balances {
  readonly #wealth = new Map<string, number>();
  readonly #beganWith = new Map<string, number>();
  readonly #holds = new Map<string, Hold>();
  readonly #burnedBy = new Map<string, number>();
  #supply = 0;

  /** Begins with what stands in the books. */
  constructor(books: State) {
    for (const { id, scrip, held } of books.accounts.rows()) this.#open(id, scrip + held);
    for (const { id, owner, amount } of books.holds.rows()) this.#holds.set(id, { owner, amount });
  }

  count(event: Event): void {
    if (moves(event)) this.#count(event);
  }

  #count(event: Moving): void {
    switch (event.kind) {
      case "principal_created":
        this.#open(event.id, event.scrip);
        return;
      case "scrip_transferred":
        this.#move(event.from, event.to, event.amount);
        return;
      case "scrip_minted":
        this.#move(null, event.to, event.amount);
        return;
      case "scrip_burned":
        this.#move(event.from, null, event.amount);
        return;
      case "scrip_held":
        this.#holds.set(event.hold, { owner: event.from, amount: event.amount });
        return;
      case "hold_split":
        this.#split(event.hold, event.into, event.amount);
        return;
      case "hold_spent":
        this.#move(this.ownerOf(event.hold), event.to, event.amount);
        this.#take(event.hold, event.amount);
        return;
      case "hold_released":
        this.#release(event.hold, event.into);
        return;
      default:
        event satisfies never;
    }
  }

  /** All scrip there is. */
  get supply(): number {
    return this.#supply;
  }

  /** Everybody who has, or has had, an account. */
  ids(): Iterable<string> {
    return this.#wealth.keys();
  }

  knows(id: string): boolean {
    return this.#wealth.has(id);
  }

  wealthOf(id: string): number {
    return this.#wealth.get(id) ?? 0;
  }

  beganWith(id: string): number {
    return this.#beganWith.get(id) ?? 0;
  }

  /** What left the world out of somebody's books. */
  burnedBy(id: string): number {
    return this.#burnedBy.get(id) ?? 0;
  }

  /** Whose money a hold is; null where there is no such hold. */
  ownerOf(hold: string): string | null {
    return this.#holds.get(hold)?.owner ?? null;
  }

  #open(id: string, scrip: number): void {
    this.#wealth.set(id, scrip);
    this.#beganWith.set(id, scrip);
    this.#supply += scrip;
  }

  /** From or to nobody is out of or into nothing. */
  #move(from: string | null, to: string | null, amount: number): void {
    if (from === null) this.#supply += amount;
    else this.#wealth.set(from, this.wealthOf(from) - amount);
    if (to !== null) this.#wealth.set(to, this.wealthOf(to) + amount);
    else this.#supply -= amount;
    if (from !== null && to === null) this.#burnedBy.set(from, this.burnedBy(from) + amount);
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
