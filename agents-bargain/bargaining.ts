import type { DecideInput, UserDecision, View } from "catallaxy";

/** How an agent bargains: with `offers` prices, from `first` to its private value. */
export type Terms = {
  readonly partner: string;
  readonly artifact: string;
  readonly first: number;
  readonly offers: number;
  /** Above 1: concedes early. Below 1: concedes late. */
  readonly beta: number;
  /** What the artifact is worth to the agent. */
  readonly value: number;
};

export const termsOf = ({ view, settings }: DecideInput): Terms => {
  const artifact = String(settings.artifact);
  const { [artifact]: value } = view.agent.values;
  if (value === undefined)
    throw new Error(`values must say what ${artifact} is worth to the agent`);
  return {
    partner: String(settings.partner),
    artifact,
    first: Number(settings.first),
    offers: Number(settings.offers),
    beta: Number(settings.beta),
    value,
  };
};

/**
 * The price of offer k, counted from 0, or null after the last offer. The agent concedes from its
 * first price to its value: first + (value - first) · (k / (offers - 1)) ^ (1 / beta), which is the
 * polynomial tactic of Faratin, Sierra and Jennings, "Negotiation Decision Functions for
 * Autonomous Agents", 1998.
 */
export const offerAt = ({ first, value, offers, beta }: Terms, k: number): number | null => {
  if (k >= offers) return null;
  const conceded = offers === 1 ? 1 : (k / (offers - 1)) ** (1 / beta);
  return Math.round(first + (value - first) * conceded);
};

/** A message of the partner, and the price that it names. */
export type News = { readonly number: number; readonly text: string; readonly price: number };

/** The newest message of the partner after message `seen`, or null. */
export const newsFrom = ({ mailbox }: View, partner: string, seen: number): News | null => {
  const { read, unread } = mailbox;
  // A message that came while the agent did something else counts as read.
  const message = [...read, ...unread].findLast(({ from }) => from === partner);
  if (message === undefined || message.number <= seen) return null;
  const [, price] = /(\d+) scrip/.exec(message.text) ?? [];
  return { number: message.number, text: message.text, price: Number(price ?? Number.NaN) };
};

/** `answers` is the number of the message that this one answers, or 0. */
export const tell = (to: string, text: string, answers: number) => ({
  invoke_artifact: {
    artifact_id: "genesis_messenger",
    method: "send",
    args: answers === 0 ? [to, text] : [to, text, { reply_to: answers }],
  },
});

/** A message wakes the agent earlier. */
export const SLEEP: NonNullable<UserDecision["sleep"]> = { for_s: 120 };
