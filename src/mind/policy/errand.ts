import { z } from "zod";
import type { Json, Offering } from "../../kernel/index.ts";
import { mainMethod, type Recipe, sampleArgs } from "../library/index.ts";
import { lasting } from "../memory-codec.ts";
import { leaning } from "./leaning.ts";
import type { Move, Situation } from "./policy.ts";

/**
 * Consumption: now and then an agent needs something worked out, and pays a program on the market
 * to do it if the answer is worth the price. What an answer is worth differs from agent to agent
 * and falls with how lately it was had, so demand slopes downward.
 */
export type Needs = {
  /** Standing of artifacts tried: successes less failures, by id, the latest few. */
  readonly trust: { readonly [artifact: string]: number };
  /** When each good was last had, ms, the latest few. */
  readonly had: { readonly [good: string]: number };
  /** The purchase under way, judged when its outcome is known. */
  readonly open: { readonly artifact: string; readonly good: string; readonly expect: Json } | null;
  /** Goods looked for in vain, the latest few. */
  readonly missed: readonly string[];
};

export const needsSchema: z.ZodType<Needs> = lasting(
  z.object({
    trust: lasting(z.record(z.string(), z.number())),
    had: lasting(z.record(z.string(), z.number())),
    open: z.object({ artifact: z.string(), good: z.string(), expect: z.custom<Json>() }).nullable(),
    missed: z.array(z.string()),
  }),
);

export const NO_NEEDS: Needs = { trust: {}, had: {}, open: null, missed: [] };

const REMEMBERED_MAX = 24;
/** An answer is worth its full value again after this long, ms. */
const REVIVAL_MS = 60_000;
/** No single answer takes more than this part of what an agent has. */
const PURSE_SHARE = 0.15;
/** What even the poor can spend at once. */
const SMALL = 2;
/** With less scrip than this an agent goes shopping less often, in proportion. */
const EASE = 120;
/** How often an errand is one whose right answer is known, to see who can be trusted. */
const TEST_SHARE = 0.3;

const latest = <T>(record: { readonly [key: string]: T }, key: string, value: T) => {
  const { [key]: _old, ...others } = record;
  return Object.fromEntries(
    [...Object.entries(others), [key, value] as const].slice(-REMEMBERED_MAX),
  );
};

/** Learns from the purchase that was under way. */
export const settleErrand = (needs: Needs, situation: Situation<unknown>): Needs => {
  const { open } = needs;
  const { last } = situation.view.agent;
  if (open === null) return needs;
  const answered = last !== null && last.target === open.artifact && last.ok;
  const right = answered && (open.expect === null || last.result === JSON.stringify(open.expect));
  const standing = needs.trust[open.artifact] ?? 0;
  return {
    ...needs,
    open: null,
    trust: latest(needs.trust, open.artifact, right ? Math.min(standing + 1, 5) : standing - 2),
    had: right ? latest(needs.had, open.good, situation.view.now) : needs.had,
  };
};

/** A taste in [0.5, 1.5), fixed for an agent and a good. */
const taste = (agent: string, good: string): number => 0.5 + leaning(`${agent}/${good}`);

/** The most an agent would pay for this good now, whole scrip. */
const worthOf = (good: Recipe, needs: Needs, { view }: Situation<unknown>): number => {
  const since = view.now - (needs.had[good.name] ?? -REVIVAL_MS);
  const fresh = Math.min(1, since / REVIVAL_MS);
  const purse = Math.max(view.account.scrip * PURSE_SHARE, Math.min(view.account.scrip, SMALL));
  return Math.floor(Math.min(good.worth * taste(view.id, good.name) * fresh, purse));
};

type Deal = { readonly offering: Offering; readonly good: Recipe; readonly gain: number };

const deals = (needs: Needs, situation: Situation<unknown>): readonly Deal[] => {
  const { view, knowHow } = situation;
  const found: Deal[] = [];
  for (const offering of view.market) {
    const good = knowHow.recognise(offering);
    if (good === undefined || (needs.trust[offering.id] ?? 0) <= -2) continue;
    const gain = worthOf(good, needs, situation) - offering.price;
    if (gain >= 0) found.push({ offering, good, gain });
  }
  return found;
};

type Errand = { readonly action: Json; readonly why: string; readonly needs: Needs };

/** A purchase worth making, the better ones more likely; null when nothing on the market is. */
const runErrand = (needs: Needs, situation: Situation<unknown>): Errand | null => {
  const { dice, view } = situation;
  if (!dice.chance(view.account.scrip / EASE)) return null;
  const deal = dice.weighted(deals(needs, situation), ({ gain, offering }) => {
    return (gain + 1) * (1 + Math.max(0, needs.trust[offering.id] ?? 0));
  });
  if (deal === undefined) return null;
  const { offering, good } = deal;
  const example = dice.chance(TEST_SHARE)
    ? dice.choose(offering.interface?.methods[0]?.examples ?? [])
    : undefined;
  const args = example?.args ?? sampleArgs(good, dice.pick);
  if (args.length < mainMethod(good).input_schema.required.length) return null;
  const action = {
    invoke_artifact: { artifact_id: offering.id, method: "run", args, max_price: offering.price },
  };
  const open = { artifact: offering.id, good: good.name, expect: example?.result ?? null };
  const worth = offering.price + deal.gain;
  const why = `${good.title} is worth ${worth} to ${view.id}, asked ${offering.price}`;
  return { action, why, needs: { ...needs, open } };
};

/** A purchase worth making, as a move of the policy that shops; null when nothing is. */
export const shop = <Memory extends { readonly needs: Needs }>(
  here: Situation<Memory>,
): Move<Memory> | null => {
  const errand = runErrand(here.memory.needs, here);
  if (errand === null) return null;
  const { needs, ...move } = errand;
  return { ...move, memory: { ...here.memory, needs } };
};

/** Notes a good that was wanted and could not be had. */
export const noteMiss = (needs: Needs, situation: Situation<unknown>): Needs => {
  const good = situation.dice.choose(situation.knowHow.catalogue.recipes);
  if (good === undefined) return needs;
  const offered = situation.view.market.some(
    (offering) => situation.knowHow.recognise(offering)?.name === good.name,
  );
  if (offered || needs.missed.includes(good.name)) return needs;
  return { ...needs, missed: [...needs.missed, good.name].slice(-6) };
};
