export { LibraryError } from "./library/front-matter.ts";
export { examplesIn, type LibraryExample, loadLibrary } from "./library/load-library.ts";
export { recipeBookOf } from "./library/recipe-book.ts";
export {
  POLICIES,
  type PolicyGuide,
  policyGuides,
} from "./policies.ts";
export { SHIPPED_TOPICS } from "./producer.ts";
