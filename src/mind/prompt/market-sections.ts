import {
  type Interface,
  type InterfaceMethod,
  isObject,
  type MarketListing,
  memoized,
  type View,
} from "../../kernel/index.ts";
import { seconds, usd } from "../../model/index.ts";
import type { PromptSettings } from "../core/settings.ts";
import { oneLine } from "./fence.ts";
import { section } from "./prompt.ts";

type Detail = PromptSettings["detail_level"];

const DESCRIPTION_CHARS = { minimal: 60, standard: 160, verbose: 400 } as const;
const METHODS_MAX = { minimal: 0, standard: 4, verbose: 12 } as const;
const SCHEMA_CHARS = 300;
const TYPE_CHARS = 30;

const prices = ({ executable, price, read_price }: MarketListing): string =>
  [executable ? `call ${price}` : null, read_price > 0 ? `read ${read_price}` : null]
    .filter((price) => price !== null)
    .join(", ");

const record = (listing: MarketListing): string => {
  const { executable, calls, calls_by_others, failures, revenue } = listing;
  if (!executable) return `earned ${revenue}`;
  return calls === 0
    ? "never called"
    : `${calls} calls, ${calls_by_others} by others, ${failures} failed, earned ${revenue}`;
};

const signature = (method: InterfaceMethod, detail: Detail): string => {
  const { properties, required } = method.input_schema;
  const needed = Array.isArray(required) ? required : [];
  const args = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const type = isObject(schema) && typeof schema.type === "string" ? `: ${schema.type}` : "";
    return `${name}${needed.includes(name) ? "" : "?"}${type}`;
  });
  const shown = `${method.name}(${args.join(", ")})`;
  if (detail !== "verbose") return shown;
  const [example] = method.examples ?? [];
  const shows = example === undefined ? "" : ` e.g. ${JSON.stringify(example)}`;
  return `${shown}: ${method.description}${shows}`;
};

const methodLines = (detail: Detail): ((declared: Interface) => readonly string[]) =>
  memoized(
    ({ methods }) =>
      methods
        .slice(0, METHODS_MAX[detail])
        .map((each) => `    ${oneLine(signature(each, detail), SCHEMA_CHARS)}`),
    new WeakMap(),
  );

/** Describes the methods of an interface. Cached, because many prompts show the same artifacts. */
const METHOD_LINES = {
  minimal: methodLines("minimal"),
  standard: methodLines("standard"),
  verbose: methodLines("verbose"),
} as const;

/** Describes an artifact on one line. Describes its methods on more lines if `detail` says so. */
const linesOf = (listing: MarketListing, detail: Detail, owner: string): readonly string[] => {
  const about = oneLine(listing.description, DESCRIPTION_CHARS[detail]);
  const facts = [`${oneLine(listing.type, TYPE_CHARS)}${owner}`, prices(listing), record(listing)];
  const head = `- ${listing.id} (${facts.filter((fact) => fact !== "").join("; ")})`;
  const line = about === "" ? head : `${head}: ${about}`;
  const methods = listing.interface === null ? [] : METHOD_LINES[detail](listing.interface);
  if (methods.length === 0) {
    const names = listing.methods.slice(0, METHODS_MAX[detail]).join(", ");
    return [names === "" || names === "run" ? line : `${line} [methods: ${names}]`];
  }
  return [line, ...methods];
};

const cachedLines = (ownerOf: (listing: MarketListing) => string) => {
  const linesIn = (detail: Detail) =>
    memoized((listing: MarketListing) => linesOf(listing, detail, ownerOf(listing)), new WeakMap());
  return {
    minimal: linesIn("minimal"),
    standard: linesIn("standard"),
    verbose: linesIn("verbose"),
  };
};

/** The lines of listings. Cached, because many views show the same objects. */
const OWN_LINES = cachedLines(() => "");
const LINES_OF_OTHERS = cachedLines(({ owner }) => ` of ${owner}`);

const offersOfOthers = (
  offerings: View["market"],
  { detail_level }: PromptSettings,
): readonly string[] => offerings.flatMap((each) => LINES_OF_OTHERS[detail_level](each));

const TASK_CHARS = 300;
const TESTS_CHARS = 300;

const auctionLine = ({ mint: status, now }: View): string => {
  const { auction, open, opens_at_ms, closes_at_ms, minimum_bid, slots, last_price } = status;
  const when = open
    ? `is open for another ${seconds(closes_at_ms - now)}`
    : `opens in ${seconds(Math.max(0, opens_at_ms - now))}`;
  const last = last_price === null ? "" : `; the last price was ${last_price}`;
  return `Auction ${auction} ${when}: ${slots} win, the minimum bid is ${minimum_bid}${last}.`;
};

const ownBids = ({ mint: { own } }: View): readonly string[] =>
  own.length === 0
    ? ["You have no open bid, and no artifact of yours awaits its score."]
    : own.map(({ id, artifact, amount, stage }) =>
        stage === "won"
          ? `Your ${artifact} won (${id}) and is waiting for its score.`
          : `Your bid ${id}: ${artifact} for ${amount}.`,
      );

const recentWins = ({ mint: { results } }: View): readonly string[] =>
  results.map(
    ({ artifact, bidder, score, minted }) =>
      `Recent win: ${artifact} of ${bidder}, scored ${score}, minted ${minted} scrip.`,
  );

export const marketSections = {
  // Foreign, because an artifact that the agent bought still has the text of its author.
  own_artifacts: section(
    { title: "Your artifacts", priority: 76, tokensMax: 600, foreign: true },
    ({ view, settings }) =>
      view.owned.length === 0
        ? ["none yet"]
        : view.owned.flatMap((each) => OWN_LINES[settings.detail_level](each)),
  ),
  market: section(
    {
      title: "The market: artifacts of others that you can call",
      priority: 60,
      tokensMax: 1_200,
      foreign: true,
    },
    ({ view, settings }) => offersOfOthers(view.market, settings),
  ),
  texts: section(
    {
      title: "Texts of others for sale: read_artifact pays the read price",
      priority: 59,
      tokensMax: 250,
      foreign: true,
    },
    ({ view, settings }) => offersOfOthers(view.texts, settings),
  ),
  offers: section(
    {
      title: "Offered to you; genesis_ledger.accept takes it",
      priority: 70,
      tokensMax: 150,
      foreign: true,
    },
    ({ view, settings }) => offersOfOthers(view.offers, settings),
  ),
  principals: section(
    { title: "Others with an account", priority: 35, tokensMax: 150, foreign: true },
    ({ view }) => (view.principals.length > 0 ? [view.principals.join(", ")] : []),
  ),
  mint: section({ title: "The mint", priority: 58, tokensMax: 250, foreign: true }, ({ view }) => [
    auctionLine(view),
    ...ownBids(view),
    ...recentWins(view),
  ]),
  tasks: section(
    {
      title: "Tasks: the first program that passes every test earns the reward",
      priority: 65,
      tokensMax: 700,
      foreign: true,
    },
    ({ view }) =>
      view.tasks.map(({ id, reward, description, public_tests }) => {
        const tests = oneLine(JSON.stringify(public_tests), TESTS_CHARS);
        const about = oneLine(description, TASK_CHARS);
        return `- ${id}, ${reward} scrip: ${about} Public tests: ${tests}`;
      }),
  ),
};

const scripEach = (limit: number | null): string =>
  limit === null ? "up to all your scrip" : `up to ${limit} scrip per lot`;

const offerLine = ({ compute, now }: View): string => {
  const { sale, lots, lots_left, lot_micros, minimum_price, price, next_sale_at_ms } = compute;
  const inTime = `in ${seconds(Math.max(0, (next_sale_at_ms ?? now) - now))}`;
  const supply = `${lots} lots of ${usd(lot_micros)}`;
  switch (sale) {
    case "auction":
      return `${supply} are auctioned ${inTime}. Last price: ${price}, minimum: ${minimum_price}.`;
    case "posted":
      return `${lots_left} lots of ${usd(lot_micros)} are left at ${price} scrip; more ${inTime}.`;
    case "equal":
      return `The world gives every agent an equal share of model budget ${inTime}.`;
    case "none":
      return "";
  }
};

const stockLine = ({ compute, account, agent }: View): string => {
  const { thoughts, thoughtsFailed, spentMicros } = agent.counters;
  const micros = account.llmBudgetMicros;
  const lots = (micros / compute.lot_micros).toFixed(1);
  if (spentMicros === 0) return `Your budget is worth ${lots} lots.`;
  const left = Math.floor((micros * (thoughts + thoughtsFailed)) / spentMicros);
  return `Your budget is worth ${lots} lots, or about ${left} thoughts at your average cost.`;
};

const orderLines = ({ compute: { sale, bid, standing } }: View): readonly string[] => {
  if (sale === "equal" || standing === null) return [];
  const { lots, limit_price } = standing;
  const buys = lots === 0 ? "buys only when you are frozen" : `keeps ${lots} lots in stock`;
  const order = `Your standing order ${buys}, at ${scripEach(limit_price)}.`;
  if (sale === "posted") return [order];
  return bid === null
    ? [`You have no bid. ${order}`]
    : [`Your bid: ${bid.lots} lots, at ${scripEach(bid.limit_price)}. ${order}`];
};

export const computeSections = {
  compute: section(
    { title: "Model budget for sale: genesis_compute", priority: 79, tokensMax: 160 },
    ({ view }) =>
      view.compute.sale === "none" ? [] : [offerLine(view), stockLine(view), ...orderLines(view)],
  ),
};
