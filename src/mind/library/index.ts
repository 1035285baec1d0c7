export { type Catalogue, makeCatalogue } from "./catalogue.ts";
export { assemble, type Front, type Supplier } from "./front.ts";
export { KINDS, type Kind, kindFits } from "./kinds.ts";
export { LibraryError } from "./library-error.ts";
export { loadLibrary } from "./load-library.ts";
export { canFollow, compose, findPipelines } from "./pipeline.ts";
export type {
  Example,
  Interface,
  Json,
  JsonSchema,
  Method,
  Recipe,
  RunProgram,
  Variant,
} from "./recipe.ts";
export { mainMethod, parametersOf } from "./recipe.ts";
export { type Dice, sampleArgs } from "./sample-args.ts";
export { variantsOf } from "./variant.ts";
