import type { Event } from "../../kernel/index.ts";

/** A write that gave a program another price. */
export type PriceEdit = {
  readonly seq: number;
  readonly at_ms: number;
  readonly by: string;
  /** Null: no earlier event of the run set a price. */
  readonly from: number | null;
  readonly to: number;
};

/** A paid call at another price than the one before. */
export type PriceChange = {
  /** The number of the call. */
  readonly seq: number;
  readonly artifact: string;
  /** What the call added to the index, and to the logarithm of the index. */
  readonly amount: number;
  readonly moved: number;
  /** The write that set the new price. Null: it is not among the events of the run. */
  readonly edit: PriceEdit | null;
};

/** How the sales of one program moved the price index. */
export type PriceMover = {
  readonly artifact: string;
  /** The index is the product of the factors of all programs. */
  readonly factor: number;
  readonly first_price: number;
  readonly last_price: number;
  readonly sales: number;
};

/** The sales of one program since the start of the run. */
export type ProgramSales = Omit<PriceMover, "artifact" | "factor"> & {
  readonly revenue: number;
  /** The logarithm of the factor. */
  readonly moved: number;
};

/** The most programs of each direction. */
const PRICE_MOVERS_MAX = 5;

/** The programs that raised the index most, then those that lowered it most. */
const moversIn = (
  all: readonly (PriceMover & Pick<ProgramSales, "moved">)[],
): readonly PriceMover[] => {
  const sorted = all.toSorted((a, b) => b.moved - a.moved);
  const rising = sorted.filter(({ moved }) => moved > 0).slice(0, PRICE_MOVERS_MAX);
  const falling = sorted.filter(({ moved }) => moved < 0).slice(-PRICE_MOVERS_MAX);
  return [...rising, ...falling.toReversed()].map(({ moved: _, ...mover }) => mover);
};

/** The programs that moved the index between two moments, by the sales of programs at each. */
export const moversBetween = (
  before: ReadonlyMap<string, ProgramSales>,
  after: ReadonlyMap<string, ProgramSales>,
): readonly PriceMover[] =>
  moversIn(
    [...after].map(([artifact, last]) => {
      const first = before.get(artifact);
      const moved = last.moved - (first?.moved ?? 0);
      return {
        artifact,
        moved,
        factor: Math.exp(moved),
        first_price: first?.last_price ?? last.first_price,
        last_price: last.last_price,
        sales: last.sales - (first?.sales ?? 0),
      };
    }),
  );

/**
 * The price level of programs, as a Divisia index (1925). The index starts at 1 and needs no choice
 * of period. Each sale adds log(new price / last price) to the log of the index, multiplied by the
 * program's share of all spending on programs so far, including this sale. The first sale of a
 * program does not change the index.
 */
export class PriceIndex {
  readonly #byProgram = new Map<string, ProgramSales>();
  /** The last write that changed the price of each program. */
  readonly #edits = new Map<string, PriceEdit>();
  #change: PriceChange | null = null;
  #sales = 0;
  #spent = 0;
  #logarithm = 0;

  /** `seq` is the number of the event. */
  count(event: Event, _ownerOf: unknown, seq: number): void {
    if (event.kind === "artifact_written") {
      const { artifact_id: id, at_ms, by, fields } = event;
      const from = this.#edits.get(id)?.to ?? null;
      if (fields.price === undefined || fields.price === from) return;
      this.#edits.set(id, { seq, at_ms, by, from, to: fields.price });
    }
    if (event.kind !== "artifact_invoked" || event.paid_to === null || event.price === 0) return;
    const { artifact_id: id, price } = event;
    const before = this.#byProgram.get(id);
    const revenue = (before?.revenue ?? 0) + price;
    this.#sales += 1;
    this.#spent += price;
    const moved = (revenue / this.#spent) * Math.log(price / (before?.last_price ?? price));
    const value = this.value;
    this.#logarithm += moved;
    if (moved !== 0) {
      const edit = this.#edits.get(id);
      this.#change = {
        seq,
        artifact: id,
        amount: this.value - value,
        moved,
        edit: edit?.to === price ? edit : null,
      };
    }
    this.#byProgram.set(id, {
      revenue,
      moved: (before?.moved ?? 0) + moved,
      first_price: before?.first_price ?? price,
      last_price: price,
      sales: (before?.sales ?? 0) + 1,
    });
  }

  /** The programs that moved the index since the start of the run. */
  movers(): readonly PriceMover[] {
    return moversBetween(new Map(), this.#byProgram);
  }

  /** A copy of the sales so far. */
  salesByProgram(): ReadonlyMap<string, ProgramSales> {
    return new Map(this.#byProgram);
  }

  /** The last change of a price, or null. */
  get change(): PriceChange | null {
    return this.#change;
  }

  get sales(): number {
    return this.#sales;
  }

  get spent(): number {
    return this.#spent;
  }

  get value(): number {
    return Math.exp(this.#logarithm);
  }
}
