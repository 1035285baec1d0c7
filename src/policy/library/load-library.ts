import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Json } from "../../kernel/index.ts";
import {
  type FrontMatter,
  LibraryError,
  type ParsedFile,
  parseFrontMatter,
} from "./front-matter.ts";
import type { Recipe } from "./recipe.ts";
import { nameOfParameter, parametersInCode, variantsOf } from "./variant.ts";

/** Reads the programs of a folder, sorted by name. Throws a LibraryError that names a bad file. */
export const loadLibrary = (folder: string): readonly Recipe[] =>
  readPrograms(folder).map(({ recipe }) => recipe);

/** An example of a program or of one of its variants: a call of `code`, and the right result. */
export type LibraryExample = {
  readonly code: string;
  readonly method: string;
  readonly args: readonly Json[];
  readonly result: Json;
  /** The line of the file in which the code begins. Null for a variant, whose code differs. */
  readonly codeLine: number | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** Returns the examples of all programs of a folder. Throws as `loadLibrary` does. */
export const examplesIn = (folder: string): readonly LibraryExample[] =>
  readPrograms(folder).flatMap(({ recipe, path: file, codeLine, placeOf }) => {
    const own = recipe.interface.methods.flatMap(({ name: method, examples }, at) =>
      examples.map((example, each) => {
        const place = placeOf(["methods", at, "examples", each]);
        return { code: recipe.code, codeLine, method, ...example, file, ...place };
      }),
    );
    const varied = variantsOf(recipe).flatMap(({ code, interface: { methods } }, at) =>
      methods.flatMap(({ name: method, examples }) =>
        examples.map((example, each) => {
          const place = placeOf(["variants", at, "examples", each]);
          return { code, codeLine: null, method, ...example, file, ...place };
        }),
      ),
    );
    return [...own, ...varied];
  });

type ReadProgram = Pick<ParsedFile, "placeOf"> & {
  readonly recipe: Recipe;
  readonly path: string;
  readonly codeLine: number;
};

function readPrograms(folder: string): readonly ReadProgram[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .sort();
  const programs = new Map<string, ReadProgram>();
  for (const file of files) {
    const program = readProgram(join(folder, file), file);
    const { recipe } = program;
    if (programs.has(recipe.name)) {
      const problem = `another program is also named ${recipe.name}; rename one`;
      throw new LibraryError(program.path, problem);
    }
    programs.set(recipe.name, program);
  }
  return [...programs.values()].sort((a, b) => (a.recipe.name < b.recipe.name ? -1 : 1));
}

/** The programs read so far, by path. A process makes many runs, and parsing YAML is slow. */
const known = new Map<string, { readonly source: string; readonly program: ReadProgram }>();

function readProgram(path: string, place: string): ReadProgram {
  const source = readFileSync(path, "utf8");
  const earlier = known.get(path);
  if (earlier?.source === source) return earlier.program;
  const program = parseRecipe(path, place, source);
  known.set(path, { source, program });
  return program;
}

function parseRecipe(path: string, place: string, source: string): ReadProgram {
  const [topic, name] =
    /^([a-z]+)\/([a-z][a-z0-9-]*)\.js$/.exec(place.replaceAll(sep, "/"))?.slice(1) ?? [];
  if (topic === undefined || name === undefined) {
    throw new LibraryError(path, "must be at <topic>/<name>.js, both in lower case");
  }
  const { matter, code, placeOf } = parseFrontMatter(path, source);
  if (matter.topic !== topic) {
    const problem = `topic is ${matter.topic}, but the folder says ${topic}`;
    throw new LibraryError(path, problem, placeOf(["topic"]));
  }
  matter.methods.forEach((method, at) => {
    const problem = signatureProblem(code, method);
    if (problem !== null) throw new LibraryError(path, problem, placeOf(["methods", at]));
  });
  const { methods, ...about } = matter;
  const recipe = {
    ...about,
    name: name.replaceAll("-", "_"),
    code: code.trim(),
    interface: { description: about.description, methods },
  };
  const before = source.slice(0, source.lastIndexOf(recipe.code));
  return { recipe, path, codeLine: before.split("\n").length, placeOf };
}

/** Returns a problem if the parameters in the code differ from the properties in the schema. */
function signatureProblem(code: string, method: FrontMatter["methods"][number]): string | null {
  const properties = Object.keys(method.input_schema.properties);
  const parameters = parametersInCode(code, method.name)?.map(nameOfParameter);
  if (parameters?.join() === properties.join()) return null;
  const head = `function ${method.name}(${properties.join(", ")}) {`;
  return `the code must contain the line \`${head}\`; its parameters can have defaults`;
}
