import { type Kind, kindFits } from "./kinds.ts";
import type { Recipe } from "./recipe.ts";

/**
 * A library with the questions that an agent asks of it. Answers are in the order of the recipes
 * given.
 */
export type Catalogue = {
  readonly recipes: readonly Recipe[];
  readonly topics: readonly string[];
  readonly named: (name: string) => Recipe | undefined;
  readonly inTopic: (topic: string) => readonly Recipe[];
  /** Programs that can be given a value of this kind. */
  readonly taking: (kind: Kind) => readonly Recipe[];
  /** Programs whose result can stand where this kind is wanted. */
  readonly giving: (kind: Kind) => readonly Recipe[];
};

export function makeCatalogue(recipes: readonly Recipe[]): Catalogue {
  const byName = new Map(recipes.map((recipe) => [recipe.name, recipe]));
  return {
    recipes,
    topics: [...new Set(recipes.map((recipe) => recipe.topic))].sort(),
    named: (name) => byName.get(name),
    inTopic: (topic) => recipes.filter((recipe) => recipe.topic === topic),
    taking: (kind) => recipes.filter((recipe) => kindFits(kind, recipe.takes)),
    giving: (kind) => recipes.filter((recipe) => kindFits(recipe.gives, kind)),
  };
}
