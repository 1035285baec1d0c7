export { KINDS, LibraryError } from "./front-matter.ts";
export { examplesIn, type LibraryExample, loadLibrary } from "./load-library.ts";
export { assemble, canFollow, compose, type Supplier } from "./pipeline.ts";
export { mainMethod, parametersOf, type Recipe } from "./recipe.ts";
export { sampleArgs } from "./sample-args.ts";
export { variantsOf } from "./variant.ts";
