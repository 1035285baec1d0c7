import { kindFits } from "./kinds.ts";
import {
  type Example,
  type Interface,
  type Json,
  mainMethod,
  parametersOf,
  type Recipe,
  type RunProgram,
} from "./recipe.ts";
import { sampleArgs } from "./sample-args.ts";

const STAGES_MIN = 2;
const STAGES_MAX = 3;
const EXAMPLES_MAX = 3;

/** Whether `next` can work on what `first` gives, with nothing else to be told. */
export function canFollow(first: Recipe, next: Recipe): boolean {
  return (
    kindFits(first.gives, next.takes) &&
    mainMethod(next).input_schema.required.length === 1 &&
    first.name !== next.name
  );
}

/** Every chain of so many different recipes in which each can follow the one before. */
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
 * One program that does what two or three recipes do in a row. Each stage is wrapped in a function
 * of its own, so that names cannot clash. It takes the arguments of the first stage; later stages
 * work with their defaults. Its examples are the first stage's, carried from stage to stage by
 * `run`; without `run` there are none. The stages must fit (`canFollow`): anything else is a bug of
 * the caller and throws.
 */
export function compose(stages: readonly Recipe[], run?: RunProgram): Recipe {
  const examples = chainedExamples(stages, run);
  return chained(stages, { namePrefix: "", code: pipelineCode(stages), examples });
}

/** A recipe for a program that stands for a chain, by whatever code. The stages must fit. */
export function chained(
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

/**
 * The first and the last stage of a chain that fits; throws, naming the misfit, where it does not.
 */
export function checkChain(stages: readonly Recipe[]): {
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

/**
 * Programs of the library hold no string over several lines, so their lines can be moved to the
 * right.
 */
function wrapped(stage: Recipe): string {
  const body = stage.code.replace(/^(?=.)/gm, "  ");
  return `function _${stage.name}(...input) {\n${body}\n\n  return run(...input);\n}`;
}

/**
 * What comes out at the end of the chain for the first stage's examples and, should too few of
 * them get through, for fresh samples. No examples without `run`.
 */
export function chainedExamples(
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

/** Of these examples of a first stage, those that the later stages accept, with the last result. */
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

/** Undefined where the program refuses the arguments. */
function exampleOf(recipe: Recipe, args: readonly Json[], run: RunProgram): Example | undefined {
  const outcome = run(recipe.code, "run", args);
  return outcome.ok ? { args, result: outcome.result } : undefined;
}
