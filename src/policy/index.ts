export { examplesIn, LibraryError, type LibraryExample, loadLibrary } from "./library/index.ts";
export {
  POLICIES,
  POLICY_NAMES,
  type PolicyGuide,
  type PolicyName,
  policyGuides,
} from "./policies.ts";
export { SHIPPED_TOPICS } from "./producer.ts";
export { type RecipeBook, recipeBookOf } from "./recipe-book.ts";
