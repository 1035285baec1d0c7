import type { DecideInput, UserDecision, UserMind } from "catallaxy";
import { type News, newsFrom, offerAt, SLEEP, type Terms, tell, termsOf } from "./bargaining.ts";

type Memory = {
  readonly stage: "makes" | "talks" | "deposits" | "ended";
  /** How many prices the seller has named. */
  readonly offers: number;
  /** The price that both agree on. */
  readonly price: number;
  /** The last message that the seller has answered. */
  readonly seen: number;
};

const START: Memory = { stage: "makes", offers: 0, price: 0, seen: 0 };

/** Makes an artifact, bargains for its price by messages, and sells it through the escrow. */
const mind: UserMind = {
  decide(input) {
    const { view } = input;
    const terms = termsOf(input);
    const known = (input.memory as Memory | null) ?? START;
    if (known.stage === "makes") return make(terms, known);
    if (known.stage === "deposits") return delivered(input, terms, known);
    const news = known.stage === "talks" ? newsFrom(view, terms.partner, known.seen) : null;
    return news === null ? rest : answer(news, terms, known);
  },
};

const rest: UserDecision = { action: { noop: {} }, reasoning: "I wait", sleep: SLEEP };

const make = ({ artifact }: Terms, known: Memory): UserDecision => ({
  action: {
    write_artifact: { artifact_id: artifact, artifact_type: artifact, content: "A red boat." },
  },
  reasoning: `I make the ${artifact}`,
  memory: { ...known, stage: "talks" },
});

/** Accepts a price that is at least the next one that the seller would name. */
const answer = (news: News, terms: Terms, known: Memory): UserDecision => {
  const { price, number: seen, text } = news;
  const { partner, artifact, value } = terms;
  const next = offerAt(terms, known.offers);
  const asked = known.offers === 0 ? terms.first : (offerAt(terms, known.offers - 1) ?? value);
  const least = text.startsWith("Agreed") ? asked : (next ?? value);
  if (price >= Math.max(least, value)) {
    return {
      action: {
        invoke_artifact: {
          artifact_id: "genesis_escrow",
          method: "deposit",
          args: [price, partner],
          attach: { artifacts: [artifact] },
        },
      },
      reasoning: `${price} scrip are enough for me`,
      memory: { ...known, stage: "deposits", price, seen },
    };
  }
  if (next === null || Number.isNaN(price)) return end("I go no further. No deal.", news, terms);
  return {
    action: tell(partner, `I ask ${next} scrip.`, seen),
    reasoning: `${price} scrip are too little, so I ask ${next}`,
    memory: { ...known, offers: known.offers + 1, seen },
    sleep: SLEEP,
  };
};

/** Ends the talks. A message without a price has ended them already, and needs no answer. */
const end = (text: string, { price, number }: News, { partner }: Terms): UserDecision => ({
  action: Number.isNaN(price) ? { noop: {} } : tell(partner, text, number),
  reasoning: "we do not agree",
  memory: { ...START, stage: "ended" },
  sleep: SLEEP,
});

const delivered = ({ view }: DecideInput, { partner }: Terms, known: Memory): UserDecision => {
  const { price, seen } = known;
  const isHeld = view.agent.last?.ok === true;
  const text = isHeld
    ? `Agreed: it is in genesis_escrow for ${price} scrip.`
    : "I could not deposit it. No deal.";
  return {
    action: tell(partner, text, seen),
    reasoning: isHeld ? "my part is done" : "the escrow refused my deposit",
    memory: { ...known, stage: "ended" },
    sleep: SLEEP,
  };
};

export default mind;
