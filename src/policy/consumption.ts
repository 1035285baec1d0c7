import { z } from "zod";
import { bias, type Json, type MarketListing, type View } from "../kernel/index.ts";
import { checkedOnce } from "../mind/index.ts";
import type { Move, Situation } from "./core/policy.ts";
import { type DutyMemory, dutyMemory, informed } from "./duties/duty-memory.ts";
import { mainMethod, type Recipe } from "./library/recipe.ts";
import { sampleArgs } from "./library/sample-args.ts";

const shape = z.object({
  /** Trust in the artifacts tried last, by id. Right answers raise trust, wrong ones lower it. */
  trust: checkedOnce(z.record(z.string(), z.number())),
  /** The last time of a right answer for each good, in ms. Holds only the latest goods. */
  had: checkedOnce(z.record(z.string(), z.number())),
  /** The current purchase. The purchase is rated when its outcome is known. */
  open: z.object({ artifact: z.string(), good: z.string(), expect: z.custom<Json>() }).nullable(),
  missed: z.array(z.string()),
});

/**
 * What an agent remembers as a customer. An agent buys an answer only if the price is at most the
 * agent's value for the answer. This value differs between agents, so fewer agents buy at a higher
 * price. After a right answer, the value is lower for a while.
 */
export type Needs = Readonly<z.infer<typeof shape>>;

const needsSchema = checkedOnce<Needs>(shape);

export const NO_NEEDS: Needs = { trust: {}, had: {}, open: null, missed: [] };

const REMEMBERED_MAX = 24;
const MISSED_MAX = 6;
/** The time in ms until a bought answer has its full value again. */
const REVIVAL_MS = 60_000;
const PURSE_SHARE = 0.15;
/** The amount of scrip that even a poor agent may spend on one answer. */
const SMALL_SCRIP = 2;
/** An agent with less scrip than this buys with a chance in proportion to its scrip. */
const EASE_SCRIP = 120;
/** The share of purchases that use an example, so that the agent can check the answer. */
const TEST_SHARE = 0.3;
const TRUST_MAX = 5;
/** The trust lost by a wrong answer. A program with trust `-DISTRUST` or less is not bought. */
const DISTRUST = 2;

const latest = <T>(record: { readonly [key: string]: T }, key: string, value: T) => {
  const { [key]: _old, ...others } = record;
  return Object.fromEntries(
    [...Object.entries(others), [key, value] as const].slice(-REMEMBERED_MAX),
  );
};

export const consumerMemory = { needs: needsSchema, duties: dutyMemory };

/** Adds the result of the last action to the memory. */
export const learned = <Memory extends { readonly needs: Needs; readonly duties: DutyMemory }>(
  situation: Situation<Memory>,
): Situation<Memory> => {
  const { memory, ...here } = informed(situation);
  return { ...here, memory: { ...memory, needs: settlePurchase(memory.needs, here.view) } };
};

/** Rates the current purchase by its outcome. */
const settlePurchase = (needs: Needs, view: View): Needs => {
  const { open } = needs;
  const { last } = view.agent;
  if (open === null) return needs;
  const answered = last !== null && last.target === open.artifact && last.ok;
  const right = answered && (open.expect === null || last.result === JSON.stringify(open.expect));
  const before = needs.trust[open.artifact] ?? 0;
  const trust = right ? Math.min(before + 1, TRUST_MAX) : before - DISTRUST;
  return {
    ...needs,
    open: null,
    trust: latest(needs.trust, open.artifact, trust),
    had: right ? latest(needs.had, open.good, view.now) : needs.had,
  };
};

/** Returns a factor in [0.5, 1.5) that is always the same for an agent and a good. */
const taste = (agent: string, good: string): number => 0.5 + bias(`${agent}/${good}`);

/** Returns the maximum price that the agent would pay for this good now, in whole scrip. */
const worthOf = (good: Recipe, needs: Needs, { view }: Situation<unknown>): number => {
  const since = view.now - (needs.had[good.name] ?? -REVIVAL_MS);
  const fresh = Math.min(1, since / REVIVAL_MS);
  const { scrip } = view.account;
  const purse = Math.max(scrip * PURSE_SHARE, Math.min(scrip, SMALL_SCRIP));
  return Math.floor(Math.min(good.worth * taste(view.id, good.name) * fresh, purse));
};

type Deal = { readonly listing: MarketListing; readonly good: Recipe; readonly gain: number };

const deals = (needs: Needs, situation: Situation<unknown>): readonly Deal[] =>
  situation.view.market.flatMap((listing) => {
    const good = situation.recipeBook.recognise(listing);
    if (good === undefined || (needs.trust[listing.id] ?? 0) <= -DISTRUST) return [];
    const gain = worthOf(good, needs, situation) - listing.price;
    return gain >= 0 ? [{ listing, good, gain }] : [];
  });

/** Buys an answer at random. Better deals are more likely. Returns null for no purchase. */
export const shop = <Memory extends { readonly needs: Needs }>(
  here: Situation<Memory>,
): Move<Memory> | null => {
  const { dice, view, memory } = here;
  const { needs } = memory;
  if (!dice.chance(view.account.scrip / EASE_SCRIP)) return null;
  const deal = dice.weighted(
    deals(needs, here),
    ({ gain, listing }) => (gain + 1) * (1 + Math.max(0, needs.trust[listing.id] ?? 0)),
  );
  if (deal === undefined) return null;
  const { listing, good } = deal;
  const example = dice.chance(TEST_SHARE)
    ? dice.choose(listing.interface?.methods[0]?.examples ?? [])
    : undefined;
  const args = example?.args ?? sampleArgs(good, dice.pick);
  if (args.length < mainMethod(good).input_schema.required.length) return null;
  const open = { artifact: listing.id, good: good.name, expect: example?.result ?? null };
  const { id: artifact_id, price } = listing;
  return {
    action: { invoke_artifact: { artifact_id, method: "run", args, max_price: price } },
    why: `${good.title} is worth ${price + deal.gain} to ${view.id} and costs ${price}`,
    memory: { ...memory, needs: { ...needs, open } },
  };
};

/**
 * Shops in the given share of an agent's thoughts. An agent with more than EASE_SCRIP shops more
 * often, in proportion to its scrip, so that savings return to the market.
 */
export const consume = <Memory extends { readonly needs: Needs }>(
  here: Situation<Memory>,
  share: number,
): Move<Memory> | null => {
  const wealth = here.view.account.scrip / EASE_SCRIP;
  return here.dice.chance(share * Math.max(1, wealth)) ? shop(here) : null;
};

/** Picks a good at random. If the good is not on sale, remembers the good as missing. */
export const noteMiss = (
  needs: Needs,
  { dice, recipeBook, view }: Omit<Situation<unknown>, "memory">,
): Needs => {
  const good = dice.choose(recipeBook.recipes);
  if (good === undefined) return needs;
  const offered = view.market.some((listing) => recipeBook.recognise(listing)?.name === good.name);
  if (offered || needs.missed.includes(good.name)) return needs;
  return { ...needs, missed: [...needs.missed, good.name].slice(-MISSED_MAX) };
};
