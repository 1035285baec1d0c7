import { type Interface, must, type View } from "../../kernel/index.ts";

type Listings = View["market"];

/** Lists whose entries have interfaces. Most of the size of a view is in interfaces. */
type List = "market" | "owned" | "texts" | "offers";

/** A view as JSON, without the interfaces that the reader already has. */
export type SentView = string;

type Coded = {
  /** Interfaces by number that this view is the first to show. */
  readonly interfaces: readonly (readonly [number, Interface])[];
  /** True: the reader forgets all earlier interfaces. */
  readonly restarts: boolean;
  readonly view: Omit<View, List> & {
    readonly [list in List]: readonly (Omit<Listings[number], "interface"> & {
      readonly interface: number | null;
    })[];
  };
};

/** Above this number, the reader starts again, so that its memory is bounded. */
const INTERFACES_MAX = 20_000;

/** Encodes views for one reader. It must read all of them in order. */
export class ViewWriter {
  #numbers = new Map<Interface, number>();
  #count = 0;

  write(view: View): SentView {
    const restarts = this.#numbers.size > INTERFACES_MAX;
    if (restarts) this.#numbers = new Map();
    const interfaces: (readonly [number, Interface])[] = [];
    const numberOf = (shown: Interface): number => {
      const known = this.#numbers.get(shown);
      if (known !== undefined) return known;
      this.#count += 1;
      this.#numbers.set(shown, this.#count);
      interfaces.push([this.#count, shown]);
      return this.#count;
    };
    const listed = (listings: Listings) =>
      listings.map(({ interface: shown, ...listing }) => {
        return { ...listing, interface: shown === null ? null : numberOf(shown) };
      });
    const { market, owned, texts, offers } = view;
    const lists = {
      market: listed(market),
      owned: listed(owned),
      texts: listed(texts),
      offers: listed(offers),
    };
    const coded: Coded = { interfaces, restarts, view: { ...view, ...lists } };
    return JSON.stringify(coded);
  }
}

/** Decodes the views of one `ViewWriter`. Equal interfaces are one object, as in the world. */
export class ViewReader {
  readonly #interfaces = new Map<number, Interface>();

  read(sent: SentView): View {
    const { interfaces, restarts, view }: Coded = JSON.parse(sent);
    if (restarts) this.#interfaces.clear();
    for (const [number, shown] of interfaces) this.#interfaces.set(number, shown);
    const listed = (listings: Coded["view"]["market"]): Listings =>
      listings.map((listing) => {
        const { interface: number } = listing;
        return { ...listing, interface: number === null ? null : this.#interfaceAt(number) };
      });
    const { market, owned, texts, offers } = view;
    const lists = {
      market: listed(market),
      owned: listed(owned),
      texts: listed(texts),
      offers: listed(offers),
    };
    return { ...view, ...lists };
  }

  #interfaceAt(number: number): Interface {
    return must(this.#interfaces.get(number), "a view must bring each interface before it is used");
  }
}
