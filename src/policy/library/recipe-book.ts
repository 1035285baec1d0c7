import type { Json, MarketListing } from "../../kernel/index.ts";
import { asJson } from "../../mind/index.ts";
import { canFollow, compose } from "./pipeline.ts";
import type { Recipe } from "./recipe.ts";
import { variantsOf } from "./variant.ts";

/** The programs of the library. `recognise` returns the library program that a listing offers. */
export type RecipeBook = {
  readonly recipes: readonly Recipe[];
  readonly recipeNamed: (name: string) => Recipe | undefined;
  readonly goods: readonly Recipe[];
  readonly recognise: (listing: MarketListing) => Recipe | undefined;
};

const THEN = ", then ";

export const recipeBookOf = (recipes: readonly Recipe[]): RecipeBook => {
  const goods = recipes.flatMap((recipe) => [recipe, ...variantsOf(recipe)]);
  const byName = new Map(recipes.map((recipe) => [recipe.name, recipe]));
  const byDescription = new Map(goods.map((recipe) => [recipe.description, recipe]));
  const byTitle = new Map(goods.map((recipe) => [recipe.title, recipe]));
  // Agents write these texts, so only a text that names two programs of the library is kept.
  const chains = new Map<string, Recipe>();
  const chainIn = (description: string): Recipe | undefined => {
    const [titles = ""] = description.split(". ", 1);
    if (!titles.includes(THEN)) return undefined;
    const chain = chains.get(titles) ?? chainNamed(titles, byTitle);
    if (chain !== undefined) chains.set(titles, chain);
    return chain;
  };
  return {
    recipes,
    recipeNamed: (name) => byName.get(name),
    goods,
    recognise: ({ description }) => byDescription.get(description) ?? chainIn(description),
  };
};

const chainNamed = (titles: string, byTitle: ReadonlyMap<string, Recipe>): Recipe | undefined => {
  const [first, second, ...more] = titles.split(THEN).map((title) => byTitle.get(title));
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  return canFollow(first, second) ? compose(first, second) : undefined;
};

/** The disk space that an agent keeps free when it writes programs. */
export const DISK_RESERVE_BYTES = 4_000;

export const writeProgram = (
  recipe: Recipe,
  { id, price }: { readonly id: string; readonly price: number },
): Json => ({
  write_artifact: {
    artifact_id: id,
    artifact_type: "program",
    content: recipe.title,
    code: recipe.code,
    price,
    interface: asJson(recipe.interface),
    metadata: { topic: recipe.topic, takes: recipe.takes, gives: recipe.gives },
  },
});
