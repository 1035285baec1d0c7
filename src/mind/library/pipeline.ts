import { kindFits, mainMethod, parametersOf, type Recipe } from "./recipe.ts";

/** Whether `next` works on the result of `first` without further arguments. */
export function canFollow(first: Recipe, next: Recipe): boolean {
  return (
    kindFits(first.gives, next.takes) &&
    mainMethod(next).input_schema.required.length === 1 &&
    first.name !== next.name
  );
}

/**
 * One program that runs two recipes in a row. Each is wrapped in a function, so that names cannot
 * clash. The program takes the arguments of `first`; `next` uses its defaults. `canFollow` must
 * hold. The program has no examples, because the library runs no code.
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

/** Programs have no multi-line strings, so their lines can be indented. */
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
 * A program that calls and pays two artifacts of other agents one after the other and returns the
 * last result. The first supplier gets all arguments, the second the result of the first. If one
 * fails, the call fails with `supplier_failed` and neither is paid.
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
