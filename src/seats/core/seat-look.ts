import {
  asId,
  cutText,
  isList,
  isObject,
  type Json,
  type MarketListing,
  shownMessage,
  type View,
} from "../../kernel/index.ts";

/** Whether the seat is to move, and what the clock of its run is. */
type SeatStanding = { readonly clock: "wall" | "virtual"; readonly to_move: boolean };

/** The most UTF-16 units of a look. The lists of a longer one are cut. */
const LOOK_CHARS_MAX = 150_000;
/** The most UTF-16 units that the result of an action has as JSON. */
const RESULT_CHARS_MAX = 100_000;
/** How many entries each list of a longer look keeps. */
const CUTS = [16, 8, 4, 2, 1] as const;

const partsOf = (view: View, { clock, to_move }: SeatStanding) => {
  const { agent, account, mailbox, horizonMs: horizon_ms, messageCharsMax, inbox } = view;
  return {
    id: view.id,
    at_ms: view.now,
    horizon_ms,
    clock,
    to_move,
    state: agent.state,
    reason: agent.reason,
    waits_for: agent.waitsFor,
    balances: {
      scrip: account.scrip,
      held: account.held,
      llm_budget_micros: account.llmBudgetMicros,
    },
    quotas: view.windows,
    /** What artifacts are worth to the agent of the seat, in scrip by id. */
    values: agent.values,
    disk: { used: account.diskUsed, quota: account.diskQuota },
    last: lastOf(agent.last),
    mailbox: {
      unread: mailbox.unread.map(shownMessage),
      read: mailbox.read.map(shownMessage),
      sent: mailbox.sent.map(shownMessage),
      blocked: mailbox.blocked,
      chars_max: messageCharsMax,
    },
    artifacts: view.owned,
    market: view.market,
    texts: view.texts,
    offers: view.offers,
    mint: view.mint,
    compute: view.compute,
    tasks: view.tasks,
    agents: view.children,
    principals: view.principals,
    genesis: view.genesis,
    events: view.events,
    concerns: inbox.recent,
    /** True if lists or interfaces are missing because the look would be too long. */
    cut: false,
  };
};

/** What a seat sees: the view of an agent, as JSON. */
export type SeatLook = ReturnType<typeof partsOf>;

/**
 * Returns what a seat sees. A very long look loses interfaces first, and then the oldest events and
 * messages, except for unread messages, and the ends of the other lists.
 */
export const seatLook = (view: View, standing: SeatStanding): SeatLook => {
  const whole = partsOf(view, standing);
  if (fits(whole)) return whole;
  const plain = withLists(whole, (list) => list.map(withoutInterface));
  const cut = CUTS.map((max) =>
    withLists(
      plain,
      (list) => list.slice(0, max),
      (list) => list.slice(-max),
    ),
  );
  return [plain, ...cut].find(fits) ?? withLists(plain, () => []);
};

const fits = (look: SeatLook): boolean => JSON.stringify(look).length <= LOOK_CHARS_MAX;

const withoutInterface = <Item>(item: Item): Item =>
  typeof item === "object" && item !== null && "interface" in item
    ? { ...item, interface: null }
    : item;

type Shortened = <Item>(list: readonly Item[]) => readonly Item[];

/** `ofNewest` is for the lists whose newest entry is the last one. */
const withLists = (look: SeatLook, of: Shortened, ofNewest: Shortened = of): SeatLook => ({
  ...look,
  mailbox: {
    ...look.mailbox,
    unread: [...of(look.mailbox.unread)],
    read: [...ofNewest(look.mailbox.read)],
    sent: [...ofNewest(look.mailbox.sent)],
  },
  artifacts: of(look.artifacts),
  market: of(look.market),
  texts: of(look.texts),
  offers: of(look.offers),
  tasks: of(look.tasks),
  events: ofNewest(look.events),
  concerns: ofNewest(look.concerns),
  cut: true,
});

const lastOf = (last: View["agent"]["last"]) => {
  if (last === null) return null;
  const { atMs: at_ms, action, target, method, ok, code, message } = last;
  return { at_ms, action, target, method, ok, code, message, ...shortResult(last) };
};

type KeptResult = { readonly result: string | null; readonly cut: boolean };

/** The result of an action, cut if a line of the control channel could be too short for it. */
export const shortResult = ({ result, cut }: KeptResult): KeptResult => {
  let text = result;
  while (text !== null && JSON.stringify(text).length > RESULT_CHARS_MAX) {
    text = cutText(text, Math.floor(text.length / 2));
  }
  return { result: text, cut: cut || text !== result };
};

/**
 * What a move has done. `success` is false if the world refused it, and then it may still have a
 * cost, or if a reviewer did not accept it.
 */
export type SeatOutcome = {
  readonly success: boolean;
  /** Why the world refused it. Null after success or the feedback of a reviewer. */
  readonly code: string | null;
  readonly message: string;
  /** What the action returned. Text if it was too long to keep whole (`cut`). */
  readonly result: Json;
  readonly cut: boolean;
  readonly cost: { readonly scrip: number; readonly gas: number; readonly bytes: number };
  readonly at_ms: number;
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
};

/** An artifact that a search of the store has found. */
export type FoundArtifact = Pick<
  MarketListing,
  "id" | "owner" | "executable" | "price" | "read_price" | "calls" | "description" | "methods"
>;

/** What a search of the store has found. Null for the outcome of any other action. */
export const foundIn = ({ target, result }: SeatOutcome): readonly FoundArtifact[] | null => {
  if (target !== "genesis_store" || !isList(result)) return null;
  return result.flatMap((found) => {
    // A list of principals has no prices.
    if (!isObject(found) || typeof found.id !== "string" || typeof found.price !== "number") {
      return [];
    }
    const { id, owner, executable, price, read_price, calls, description, methods } = found;
    return {
      id: asId(id),
      owner: asId(String(owner)),
      executable: executable === true,
      price,
      read_price: Number(read_price),
      calls: Number(calls),
      description: typeof description === "string" ? description : "",
      methods: isList(methods) ? methods.map(String) : [],
    };
  });
};
