import { z } from "zod";
import { asJson } from "../mind/index.ts";
import { call, definePolicy, type Move, possible, type Situation } from "./core/policy.ts";

/**
 * The baseline policy takes random legal actions within its budget (Gode and Sunder, "Allocative
 * Efficiency of Markets with Zero-Intelligence Traders", Journal of Political Economy, 1993). Only
 * the rules of the world cause its gains and losses.
 */
export const zeroIntelligence = definePolicy({
  settings: z
    .strictObject({})
    .describe(
      "Takes random valid actions. This baseline shows what the rules produce without thought.",
    ),
  memory: z.null(),
  fresh: null,
  decide: (situation) => {
    const moves = [buy, buy, read, sell, setPrice, give, bid, order, list];
    const action = situation.dice.choose(moves)?.(situation) ?? null;
    const move = action === null ? null : { action, why: "chance", memory: null };
    return possible(situation.view, move) ?? { action: { noop: {} }, why: "chance", memory: null };
  },
});

type Draw = (here: Situation<null>) => Move<null>["action"] | null;

const buy: Draw = ({ view, dice }) => {
  const affordable = view.market.filter(({ price }) => price <= view.account.scrip);
  const listing = dice.choose(affordable);
  const method = listing?.interface?.methods[0];
  if (listing === undefined || method === undefined) return null;
  const args = dice.choose(method.examples ?? [])?.args ?? [];
  return {
    invoke_artifact: {
      artifact_id: listing.id,
      method: method.name,
      args,
      max_price: listing.price,
    },
  };
};

const read: Draw = ({ view, dice }) => {
  const listing = dice.choose(view.market);
  if (listing === undefined || listing.read_price > view.account.scrip) return null;
  return { read_artifact: { artifact_id: listing.id } };
};

const sell: Draw = ({ view, dice, recipeBook }) => {
  const recipe = dice.choose(recipeBook.recipes);
  if (recipe === undefined || view.owned.length >= 6 || view.diskLeft < 5_000) return null;
  return {
    write_artifact: {
      artifact_id: `${view.id}_${recipe.name}`,
      artifact_type: "program",
      content: recipe.title,
      code: recipe.code,
      price: 1 + dice.pick(20),
      interface: asJson(recipe.interface),
    },
  };
};

const setPrice: Draw = ({ view, dice }) => {
  const good = dice.choose(view.owned);
  if (good === undefined) return null;
  return call("genesis_store.set_price", [good.id, 1 + dice.pick(20)]);
};

const give: Draw = ({ view, dice }) => {
  const to = dice.choose(view.principals);
  if (to === undefined || view.account.scrip < 10) return null;
  return call("genesis_ledger.transfer", [to, 1 + dice.pick(3)]);
};

const bid: Draw = ({ view, dice }) => {
  const good = dice.choose(view.owned.filter(({ methods }) => methods.length > 0));
  const { open, own, minimum_bid } = view.mint;
  const scrip = minimum_bid + dice.pick(5);
  if (good === undefined || !open || own.length > 0 || scrip > view.account.scrip) return null;
  return call("genesis_mint.bid", [good.id], { attach: { scrip } });
};

const order: Draw = ({ view, dice }) =>
  view.compute.sale === "auction" || view.compute.sale === "posted"
    ? call("genesis_compute.standing", [1 + dice.pick(4), 1 + dice.pick(10)])
    : null;

const list: Draw = ({ view, dice }) => {
  const good = dice.choose(view.owned);
  if (good === undefined || view.owned.length < 4) return null;
  return call("genesis_escrow.deposit", [1 + dice.pick(10)], { attach: { artifacts: [good.id] } });
};
