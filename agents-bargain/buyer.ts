import type { DecideInput, UserDecision, UserMind } from "catallaxy";
import { type News, newsFrom, offerAt, SLEEP, type Terms, tell, termsOf } from "./bargaining.ts";

type Memory = {
  readonly stage: "talks" | "checks" | "ended";
  /** How many prices the buyer has named. */
  readonly offers: number;
  /** The highest price that the buyer has agreed to. */
  readonly price: number;
  /** The last message that the buyer has answered. */
  readonly seen: number;
};

type Listing = { seller: string; price: number; version: number; status: string };

const START: Memory = { stage: "talks", offers: 0, price: 0, seen: 0 };

/** Bargains for an artifact by messages, and buys it through the escrow. */
const mind: UserMind = {
  decide(input) {
    const terms = termsOf(input);
    const known = (input.memory as Memory | null) ?? START;
    if (known.stage === "checks") return buy(input, terms, known);
    if (known.offers === 0) return offer(terms, known);
    const news = known.stage === "talks" ? newsFrom(input.view, terms.partner, known.seen) : null;
    return news === null ? rest : answer(news, terms, known);
  },
};

const rest: UserDecision = { action: { noop: {} }, reasoning: "I wait", sleep: SLEEP };

const offer = (terms: Terms, known: Memory): UserDecision => {
  const price = offerAt(terms, known.offers) ?? terms.value;
  return {
    action: tell(terms.partner, `I offer ${price} scrip for ${terms.artifact}.`, known.seen),
    reasoning: `I can offer ${price} scrip`,
    memory: { ...known, offers: known.offers + 1, price },
    sleep: SLEEP,
  };
};

/** Accepts a price that is at most the next one that the buyer would name. */
const answer = (news: News, terms: Terms, known: Memory): UserDecision => {
  const { price, number: seen, text } = news;
  const { partner, artifact, value } = terms;
  const next = offerAt(terms, known.offers);
  if (text.startsWith("Agreed") && price <= known.price) return check(terms, { ...known, seen });
  if (price <= Math.min(next ?? value, value)) {
    return {
      action: tell(partner, `Agreed: ${price} scrip. Please deposit it in genesis_escrow.`, seen),
      reasoning: `${price} scrip for ${artifact} are good for me`,
      memory: { ...known, price, seen },
      sleep: SLEEP,
    };
  }
  if (next !== null && !Number.isNaN(price)) return offer(terms, { ...known, seen });
  // A message without a price has ended the talks already, and needs no answer.
  const action = Number.isNaN(price) ? { noop: {} } : tell(partner, NO_DEAL, seen);
  return { action, reasoning: "we do not agree", memory: ENDED, sleep: SLEEP };
};

const NO_DEAL = "I go no further. No deal.";
const ENDED: Memory = { ...START, stage: "ended", offers: 1 };

const check = ({ artifact }: Terms, known: Memory): UserDecision => ({
  action: { invoke_artifact: { artifact_id: "genesis_escrow", method: "check", args: [artifact] } },
  reasoning: "I look at the listing before I pay",
  memory: { ...known, stage: "checks" },
});

/** Buys only from the partner, and for no more than they agreed on. */
const buy = ({ view }: DecideInput, terms: Terms, known: Memory): UserDecision => {
  const { partner, artifact } = terms;
  const { last } = view.agent;
  const listing: Listing | null = last?.ok === true ? JSON.parse(last.result ?? "null") : null;
  const isGood =
    listing?.status === "active" && listing.seller === partner && listing.price <= known.price;
  if (!isGood) {
    const action = tell(partner, "The listing is not what we agreed on. No deal.", known.seen);
    return { action, reasoning: "the listing is wrong", memory: ENDED, sleep: SLEEP };
  }
  return {
    action: {
      invoke_artifact: {
        artifact_id: "genesis_escrow",
        method: "purchase",
        args: [artifact, listing.version],
        attach: { scrip: listing.price },
      },
    },
    reasoning: `I buy ${artifact} for ${listing.price} scrip`,
    memory: ENDED,
    sleep: SLEEP,
  };
};

export default mind;
