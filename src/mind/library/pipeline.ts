import {
  type Example,
  type Interface,
  type Json,
  kindFits,
  mainMethod,
  parametersOf,
  type Recipe,
  type RunProgram,
} from "./recipe.ts";
import { sampleArgs } from "./sample-args.ts";

const STAGES_MIN = 2;
const STAGES_MAX = 3;
const EXAMPLES_MAX = 3;

/** Whether `next` works on the result of `first` without further arguments. */
export function canFollow(first: Recipe, next: Recipe): boolean {
  return (
    kindFits(first.gives, next.takes) &&
    mainMethod(next).input_schema.required.length === 1 &&
    first.name !== next.name
  );
}

/** All chains of this many different recipes in which each can follow the previous one. */
export function findPipelines(
  recipes: readonly Recipe[],
  stages: number,
): readonly (readonly Recipe[])[] {
  if (stages <= 1) {
    return recipes.map((recipe) => [recipe]);
  }
  const followers = new Map(
    recipes.map((recipe) => [recipe, recipes.filter((next) => canFollow(recipe, next))]),
  );
  const extend = (chain: readonly Recipe[]): readonly (readonly Recipe[])[] =>
    chain
      .slice(-1)
      .flatMap((last) => followers.get(last) ?? [])
      .filter((next) => !chain.includes(next))
      .map((next) => [...chain, next]);
  return findPipelines(recipes, stages - 1).flatMap(extend);
}

/**
 * One program that runs two or three recipes in a row. Each stage is wrapped in a function, so that
 * names cannot clash. It takes the arguments of the first stage; later stages use their defaults.
 * `run` computes the examples; without it there are none. Throws if stages do not fit
 * (`canFollow`).
 */
export function compose(stages: readonly Recipe[], run?: RunProgram): Recipe {
  const examples = chainedExamples(stages, run);
  return chained(stages, { namePrefix: "", code: pipelineCode(stages), examples });
}

/** A recipe for a chain of stages with the given code. */
function chained(
  stages: readonly Recipe[],
  made: {
    readonly namePrefix: string;
    readonly code: string;
    readonly examples: readonly Example[];
  },
): Recipe {
  const { first, last } = checkChain(stages);
  const description = `${stages.map((stage) => stage.title).join(", then ")}. ${last.description}`;
  return {
    name: made.namePrefix + stages.map((stage) => stage.name).join("_"),
    title: stages.map((stage) => stage.title).join(", then "),
    topic: last.topic,
    takes: first.takes,
    gives: last.gives,
    worth: stages.reduce((sum, stage) => sum + stage.worth, 0),
    description,
    code: made.code,
    interface: chainInterface({ first, last, description }, made.examples),
    variants: [],
  };
}

/** The first and the last stage of a chain. Throws if the stages do not fit. */
function checkChain(stages: readonly Recipe[]): {
  readonly first: Recipe;
  readonly last: Recipe;
} {
  const first = stages.at(0);
  const last = stages.at(-1);
  if (stages.length > STAGES_MAX || stages.length < STAGES_MIN || !first || !last) {
    throw new Error(`a chain has ${STAGES_MIN} or ${STAGES_MAX} stages, not ${stages.length}`);
  }
  stages.slice(1).forEach((next, index) => {
    const before = stages[index];
    if (before !== undefined && !canFollow(before, next)) {
      const stage = `${next.name} (takes ${next.takes})`;
      throw new Error(`${stage} cannot follow ${before.name} (gives ${before.gives})`);
    }
  });
  return { first, last };
}

function chainInterface(
  chain: { readonly first: Recipe; readonly last: Recipe; readonly description: string },
  examples: readonly Example[],
): Interface {
  const { input_schema } = mainMethod(chain.first);
  const { output_schema, description } = mainMethod(chain.last);
  const method = { name: "run", description, input_schema, examples };
  return {
    description: chain.description,
    methods: [output_schema === undefined ? method : { ...method, output_schema }],
  };
}

function pipelineCode(stages: readonly Recipe[]): string {
  const parameters = stages.slice(0, 1).flatMap(parametersOf).join(", ");
  const calls = stages.reduce((inner, stage) => `_${stage.name}(${inner})`, parameters);
  const title = stages.map((stage) => stage.title).join(", then ");
  const main = `// ${title}.\nfunction run(${parameters}) {\n  return ${calls};\n}`;
  return [main, ...stages.map(wrapped)].join("\n\n");
}

/** Programs have no multi-line strings, so their lines can be indented. */
function wrapped(stage: Recipe): string {
  const body = stage.code.replace(/^(?=.)/gm, "  ");
  return `function _${stage.name}(...input) {\n${body}\n\n  return run(...input);\n}`;
}

/**
 * The results of the chain for the examples of the first stage and, if too few of these work, for
 * new samples. None without `run`.
 */
function chainedExamples(
  stages: readonly Recipe[],
  run: RunProgram | undefined,
): readonly Example[] {
  const { first } = checkChain(stages);
  if (run === undefined) {
    return [];
  }
  const later = stages.slice(1);
  const known = carried(mainMethod(first).examples, later, run);
  const fresh = known.length < EXAMPLES_MAX ? sampledExamples(first, run) : [];
  return [...known, ...carried(fresh, later, run)].slice(0, EXAMPLES_MAX);
}

/** The examples of a first stage that the later stages accept, with the final result. */
function carried(
  starts: readonly Example[],
  later: readonly Recipe[],
  run: RunProgram,
): readonly Example[] {
  return starts.flatMap((start) => {
    const end = later.reduce<Example | undefined>(
      (at, stage) => at && exampleOf(stage, [at.result], run),
      start,
    );
    return end === undefined ? [] : [{ args: start.args, result: end.result }];
  });
}

function sampledExamples(recipe: Recipe, run: RunProgram): readonly Example[] {
  let turn = 0;
  const dice = (bound: number) => {
    turn += 1;
    return (turn * 7) % bound;
  };
  return Array.from({ length: EXAMPLES_MAX }, () =>
    exampleOf(recipe, sampleArgs(recipe, dice), run),
  ).filter((example) => example !== undefined);
}

/** Undefined if the program refuses the arguments. */
function exampleOf(recipe: Recipe, args: readonly Json[], run: RunProgram): Example | undefined {
  const outcome = run(recipe.code, "run", args);
  return outcome.ok ? { args, result: outcome.result } : undefined;
}

/** An artifact that does what the recipe says. */
export type Supplier = {
  readonly artifactId: string;
  readonly recipe: Recipe;
  /** The maximum price of one call. */
  readonly maxPriceScrip: number;
  /** The scrip to attach so that it can pay its own suppliers; usually 0. */
  readonly purseScrip: number;
};

/** A front and the scrip to attach to a call so that it can pay its suppliers. */
export type Front = { readonly recipe: Recipe; readonly purseScrip: number };

/**
 * A program that calls and pays other agents' artifacts one after the other and returns the last
 * result. The first supplier gets all arguments, each later one the previous result. If a supplier
 * fails, the call fails with `supplier_failed` and no supplier is paid. Recipes must fit and
 * examples are computed as in `compose`.
 */
export function assemble(suppliers: readonly Supplier[], run?: RunProgram): Front {
  const stages = suppliers.map((supplier) => supplier.recipe);
  const purseScrip = suppliers.reduce((sum, each) => sum + each.maxPriceScrip + each.purseScrip, 0);
  const examples = chainedExamples(stages, run);
  const recipe = chained(stages, { namePrefix: "front_", code: frontCode(suppliers), examples });
  const description = `${recipe.description} Calls on others: attach ${purseScrip} scrip.`;
  const front = { ...recipe, description, interface: { ...recipe.interface, description } };
  return { recipe: front, purseScrip };
}

function frontCode(suppliers: readonly Supplier[]): string {
  const calls = suppliers.map((supplier, index) => {
    const input = index === 0 ? "input" : "[result]";
    const keyword = index === 0 ? "let " : "";
    const id = JSON.stringify(supplier.artifactId);
    return `  ${keyword}result = _order(${id}, ${input}, ${callOptions(supplier)});`;
  });
  return `function run(...input) {
${calls.join("\n")}
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
}

function callOptions({ purseScrip, maxPriceScrip }: Supplier): string {
  const attach = purseScrip > 0 ? `attach: { scrip: ${purseScrip} }, ` : "";
  return `{ ${attach}max_price: ${maxPriceScrip} }`;
}
