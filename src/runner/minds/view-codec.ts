import { type Interface, type MarketListing, must, type View } from "../../kernel/index.ts";

/** Lists of listings. Most of the size of a view is in them. */
const LISTS = ["market", "owned", "texts", "offers"] as const;
type List = (typeof LISTS)[number];

type PublicEvent = View["events"][number];
type Task = View["tasks"][number];
type SentListing = Omit<MarketListing, "interface"> & { readonly interface: number | null };

/** Parts that this view is the first to show. Parts of all kinds share one count. */
type NewParts = {
  readonly interfaces: (readonly [number, Interface])[];
  readonly listings: (readonly [number, SentListing])[];
  readonly events: (readonly [number, PublicEvent])[];
  readonly tasks: (readonly [number, Task])[];
};

/**
 * A view as it travels. Many views show the same objects: listings, interfaces, events and tasks.
 * Each of them travels once, with the first view that shows it, and stands in later views by its
 * number. Numbers hold for one writer and its reader, which must read all views in order.
 */
export type SentView = {
  /** True: the reader forgets all earlier parts. */
  readonly restarts: boolean;
  readonly parts: NewParts;
  readonly view: Omit<View, List | "events" | "tasks"> & {
    readonly [list in List | "events" | "tasks"]: readonly number[];
  };
};

/** Above this number of parts, the reader starts again, so that memory is bounded. */
const PARTS_MAX = 20_000;

/** Encodes views for one reader. */
export class ViewWriter {
  #numbers = new Map<object, number>();
  #count = 0;

  write(view: View): SentView {
    const restarts = this.#numbers.size > PARTS_MAX;
    if (restarts) this.#numbers = new Map();
    const parts: NewParts = { interfaces: [], listings: [], events: [], tasks: [] };
    const interfaceNumber = (shown: Interface): number =>
      this.#numberOf(shown, (number) => parts.interfaces.push([number, shown]));
    const listingNumber = (listing: MarketListing): number =>
      this.#numberOf(listing, (number) => {
        const { interface: shown, ...rest } = listing;
        const sent = { ...rest, interface: shown === null ? null : interfaceNumber(shown) };
        parts.listings.push([number, sent]);
      });
    const { market, owned, texts, offers, events, tasks } = view;
    const numbers = {
      market: market.map(listingNumber),
      owned: owned.map(listingNumber),
      texts: texts.map(listingNumber),
      offers: offers.map(listingNumber),
      events: events.map((event) =>
        this.#numberOf(event, (number) => parts.events.push([number, event])),
      ),
      tasks: tasks.map((task) =>
        this.#numberOf(task, (number) => parts.tasks.push([number, task])),
      ),
    };
    return { restarts, parts, view: { ...view, ...numbers } };
  }

  #numberOf(part: object, add: (number: number) => void): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    this.#count += 1;
    const number = this.#count;
    this.#numbers.set(part, number);
    add(number);
    return number;
  }
}

/** Decodes the views of one `ViewWriter`. Equal parts are one object, as in the world. */
export class ViewReader {
  readonly #interfaces = new Parts<Interface>();
  readonly #listings = new Parts<MarketListing>();
  readonly #events = new Parts<PublicEvent>();
  readonly #tasks = new Parts<Task>();

  read({ restarts, parts, view }: SentView): View {
    const { interfaces, listings, events, tasks } = parts;
    if (restarts) this.#forget();
    for (const [number, part] of interfaces) this.#interfaces.set(number, part);
    for (const [number, { interface: shown, ...rest }] of listings) {
      const part = { ...rest, interface: shown === null ? null : this.#interfaces.at(shown) };
      this.#listings.set(number, part);
    }
    for (const [number, part] of events) this.#events.set(number, part);
    for (const [number, part] of tasks) this.#tasks.set(number, part);
    return {
      ...view,
      market: this.#listings.all(view.market),
      owned: this.#listings.all(view.owned),
      texts: this.#listings.all(view.texts),
      offers: this.#listings.all(view.offers),
      events: this.#events.all(view.events),
      tasks: this.#tasks.all(view.tasks),
    };
  }

  #forget(): void {
    for (const parts of [this.#interfaces, this.#listings, this.#events, this.#tasks])
      parts.clear();
  }
}

class Parts<Part> {
  readonly #parts = new Map<number, Part>();

  set(number: number, part: Part): void {
    this.#parts.set(number, part);
  }

  at(number: number): Part {
    return must(this.#parts.get(number), "a part must come with the first view that shows it");
  }

  all(numbers: readonly number[]): readonly Part[] {
    return numbers.map((number) => this.at(number));
  }

  clear(): void {
    this.#parts.clear();
  }
}
