import { kindFits, mainMethod, parametersOf, type Recipe } from "./recipe.ts";

/** True if `next` can run with the result of `first` as its only argument. */
export function canFollow(first: Recipe, next: Recipe): boolean {
  return (
    kindFits(first.gives, next.takes) &&
    mainMethod(next).input_schema.required.length === 1 &&
    first.name !== next.name
  );
}

/**
 * Returns a program that runs `first` and passes the result to `next`. Each recipe is wrapped in a
 * function, so that names cannot clash. An example needs a result, and the library cannot run code.
 * So the program has no examples. `canFollow(first, next)` must be true.
 */
export function compose(first: Recipe, next: Recipe): Recipe {
  const parameters = parametersOf(first).join(", ");
  const main = `// ${titleOf(first, next)}.
function run(${parameters}) {
  return _${next.name}(_${first.name}(${parameters}));
}`;
  const code = [main, wrapped(first), wrapped(next)].join("\n\n");
  return chain(first, next, { name: `${first.name}_${next.name}`, code });
}

/** Wraps code in a function. Indenting is safe: no recipe has a string with several lines. */
function wrapped(stage: Recipe): string {
  const body = stage.code.replace(/^(?=.)/gm, "  ");
  return `function _${stage.name}(...input) {\n${body}\n\n  return run(...input);\n}`;
}

const titleOf = (first: Recipe, next: Recipe): string => `${first.title}, then ${next.title}`;

function chain(first: Recipe, next: Recipe, made: Pick<Recipe, "name" | "code">): Recipe {
  const title = titleOf(first, next);
  const description = `${title}. ${next.description}`;
  const { input_schema } = mainMethod(first);
  const { description: returns, output_schema } = mainMethod(next);
  const main = { name: "run", description: returns, input_schema, examples: [] };
  return {
    ...made,
    title,
    topic: next.topic,
    takes: first.takes,
    gives: next.gives,
    worth: first.worth + next.worth,
    description,
    interface: {
      description,
      methods: [output_schema === undefined ? main : { ...main, output_schema }],
    },
    variants: [],
  };
}

export type Supplier = {
  readonly artifactId: string;
  readonly recipe: Recipe;
  readonly maxPriceScrip: number;
};

/**
 * Returns a program that calls and pays two artifacts of other agents. `first` gets all arguments,
 * and `next` gets the result of `first`. If one of the two calls fails, the program fails with
 * `supplier_failed` and pays neither artifact.
 */
export function assemble(first: Supplier, next: Supplier): Recipe {
  const name = `front_${first.recipe.name}_${next.recipe.name}`;
  return chain(first.recipe, next.recipe, { name, code: frontCode(first, next) });
}

const frontCode = (first: Supplier, next: Supplier): string => `function run(...input) {
  let result = ${order(first, "input")};
  result = ${order(next, "[result]")};
  return result;
}

function _order(id, args, terms) {
  const { success, result, error } = kernel.invoke(id, "run", args, terms);
  if (!success) {
    const reason = typeof error === "string" ? error : JSON.stringify(error);
    kernel.fail("supplier_failed", \`\${id} failed: \${reason}\`);
  }
  return result;
}`;

const order = ({ artifactId, maxPriceScrip }: Supplier, args: string): string =>
  `_order(${JSON.stringify(artifactId)}, ${args}, { max_price: ${maxPriceScrip} })`;
