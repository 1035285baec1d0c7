export { LibraryError } from "./library/front-matter.ts";
export { examplesIn, type LibraryExample, loadLibrary } from "./library/load-library.ts";
export { type RecipeBook, recipeBookOf } from "./library/recipe-book.ts";
export {
  POLICIES,
  POLICY_NAMES,
  type PolicyGuide,
  type PolicyName,
  policyGuides,
} from "./policies.ts";
export { SHIPPED_TOPICS } from "./producer.ts";
