import type { Method, Variant } from "./front-matter.ts";
import { mainMethod, parametersOf, type Recipe } from "./recipe.ts";

/** Returns the variants of a recipe as recipes. Each variant has only the method `run`. */
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

function bindInCode({ code }: Recipe, { bind }: Variant): string {
  const free = (parametersInCode(code, "run") ?? []).filter(
    (parameter) => !Object.hasOwn(bind, nameOfParameter(parameter)),
  );
  const constants = Object.entries(bind).map(
    ([name, value]) => `  const ${name} = ${JSON.stringify(value)};\n`,
  );
  const head = `function run(${free.join(", ")}) {\n${constants.join("")}`;
  return code.replace(HEAD("run"), () => head);
}

/** Matches an unindented line `function NAME(…) {`. In (…), only strings may contain `)`. */
const HEAD = (method: string) =>
  new RegExp(`^function ${method}\\(((?:"[^"]*"|[^")\\n])*)\\) \\{\\n`, "m");

export function parametersInCode(code: string, method: string): readonly string[] | undefined {
  const list = HEAD(method).exec(code)?.[1];
  return list?.match(/(?:"[^"]*"|[^,"])+/g)?.map((parameter) => parameter.trim());
}

export function nameOfParameter(parameter: string): string {
  return parameter.replace(/\s*=.*$/, "");
}
