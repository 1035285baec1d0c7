export { LibraryError } from "./front-matter.ts";
export { type Catalogue, loadLibrary, makeCatalogue } from "./load-library.ts";
export {
  assemble,
  canFollow,
  compose,
  type Front,
  findPipelines,
  type Supplier,
} from "./pipeline.ts";
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
export { KINDS, type Kind, kindFits, mainMethod, parametersOf } from "./recipe.ts";
export { type Dice, sampleArgs } from "./sample-args.ts";
export { variantsOf } from "./variant.ts";
