import { type Method, mainMethod, parametersOf, type Recipe, type Variant } from "./recipe.ts";
import { nameOfParameter, parametersInCode, replaceHead } from "./signature.ts";

/**
 * All versions of a recipe in which some arguments are fixed, such as the 90th percentile, as its
 * variants describe them. Each has `run` as its only method.
 */
export function variantsOf(recipe: Recipe): readonly Recipe[] {
  return recipe.variants.map((variant) => specialise(recipe, variant));
}

function specialise(recipe: Recipe, variant: Variant): Recipe {
  const free = parametersOf(recipe).filter((parameter) => !Object.hasOwn(variant.bind, parameter));
  const fixed = Object.entries(variant.bind).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  const description = `${recipe.description} Here with ${fixed.join(" and ")}.`;
  return {
    ...recipe,
    name: `${recipe.name}_${variant.name}`,
    title: variant.title,
    description,
    code: bindInCode(recipe, variant),
    interface: { description, methods: [specialiseMethod(mainMethod(recipe), variant, free)] },
    variants: [],
  };
}

function specialiseMethod(method: Method, variant: Variant, free: readonly string[]): Method {
  const { properties, required } = method.input_schema;
  const kept = Object.entries(properties).filter(([name]) => free.includes(name));
  return {
    ...method,
    input_schema: {
      type: "object",
      properties: Object.fromEntries(kept),
      required: required.filter((name) => free.includes(name)),
    },
    examples: variant.examples,
  };
}

/** Moves bound parameters from the head of `run` into its body, as constants. */
function bindInCode(recipe: Recipe, variant: Variant): string {
  const isFree = (parameter: string) => !Object.hasOwn(variant.bind, nameOfParameter(parameter));
  return replaceHead(recipe.code, "run", {
    parameters: (parametersInCode(recipe.code, "run") ?? []).filter(isFree),
    firstLines: Object.entries(variant.bind).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    ),
  });
}
