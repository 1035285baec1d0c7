import type { Offering } from "../../kernel/index.ts";
import {
  type Catalogue,
  canFollow,
  compose,
  makeCatalogue,
  type Recipe,
  variantsOf,
} from "../library/index.ts";

/**
 * What every trained agent knows: programs that can be written, and how to tell from its
 * description what a program on the market does.
 */
export type KnowHow = {
  readonly catalogue: Catalogue;
  /** Every recipe and every variant of one. */
  readonly goods: readonly Recipe[];
  readonly recognise: (offering: Offering) => Recipe | undefined;
};

/** Chains describe themselves by the titles of their stages, joined so. */
const THEN = ", then ";

export const knowHowOf = (recipes: readonly Recipe[]): KnowHow => {
  const goods = recipes.flatMap((recipe) => [recipe, ...variantsOf(recipe)]);
  const byDescription = new Map(goods.map((recipe) => [recipe.description, recipe]));
  const byTitle = new Map(goods.map((recipe) => [recipe.title, recipe]));
  const chains = new Map<string, Recipe | undefined>();
  const chainIn = (description: string): Recipe | undefined => {
    const [titles = ""] = description.split(". ", 1);
    if (!titles.includes(THEN)) return undefined;
    if (!chains.has(titles)) chains.set(titles, chainNamed(titles, byTitle));
    return chains.get(titles);
  };
  return {
    catalogue: makeCatalogue(recipes),
    goods,
    recognise: ({ description }) => byDescription.get(description) ?? chainIn(description),
  };
};

const chainNamed = (titles: string, byTitle: ReadonlyMap<string, Recipe>): Recipe | undefined => {
  const stages = titles.split(THEN).map((title) => byTitle.get(title));
  const [first, second, ...more] = stages;
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  return canFollow(first, second) ? compose([first, second]) : undefined;
};
