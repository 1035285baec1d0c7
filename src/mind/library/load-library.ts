import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { LibraryError, parseFrontMatter } from "./front-matter.ts";
import { type Kind, kindFits, type Recipe } from "./recipe.ts";
import { nameOfParameter, parametersInCode } from "./variant.ts";

/**
 * Reads all programs `<topic>/<name>.js` in a folder and returns the recipes, sorted by name.
 * Throws a LibraryError that names the file if a program or its front matter is invalid.
 */
export function loadLibrary(folder: string): readonly Recipe[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .sort();
  const recipes = new Map<string, Recipe>();
  for (const file of files) {
    const path = join(folder, file);
    const recipe = parseRecipe(path, relative(folder, path), readFileSync(path, "utf8"));
    if (recipes.has(recipe.name)) {
      throw new LibraryError(path, `another program is also named ${recipe.name}; rename one`);
    }
    recipes.set(recipe.name, recipe);
  }
  return [...recipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function parseRecipe(path: string, place: string, source: string): Recipe {
  const [topic, name] =
    /^([a-z]+)\/([a-z][a-z0-9-]*)\.js$/.exec(place.replaceAll(sep, "/"))?.slice(1) ?? [];
  if (topic === undefined || name === undefined) {
    throw new LibraryError(path, "must lie at <topic>/<name>.js, both in lower case");
  }
  const { matter, code } = parseFrontMatter(path, source);
  if (matter.topic !== topic) {
    throw new LibraryError(path, `topic is ${matter.topic}, but the folder says ${topic}`);
  }
  for (const method of matter.methods) {
    const properties = Object.keys(method.input_schema.properties);
    checkSignature(path, code, { method: method.name, properties });
  }
  const { title, takes, gives, worth, description, variants } = matter;
  return {
    name: name.replaceAll("-", "_"),
    title,
    topic,
    takes,
    gives,
    worth,
    description,
    code: code.trim(),
    interface: { description, methods: matter.methods },
    variants,
  };
}

/** The parameters in the code must equal the properties in the interface. */
function checkSignature(
  path: string,
  code: string,
  { method, properties }: { readonly method: string; readonly properties: readonly string[] },
): void {
  const parameters = parametersInCode(code, method)?.map(nameOfParameter);
  if (parameters?.join() !== properties.join()) {
    throw new LibraryError(
      path,
      `must define, on one line, function ${method}(${properties.join(", ")})`,
    );
  }
}

/** A library with queries. Results are in the order of the recipes. */
export type Catalogue = {
  readonly recipes: readonly Recipe[];
  readonly topics: readonly string[];
  readonly named: (name: string) => Recipe | undefined;
  readonly inTopic: (topic: string) => readonly Recipe[];
  /** Programs that accept this kind. */
  readonly taking: (kind: Kind) => readonly Recipe[];
  /** Programs whose result fits this kind. */
  readonly giving: (kind: Kind) => readonly Recipe[];
};

export function makeCatalogue(recipes: readonly Recipe[]): Catalogue {
  const byName = new Map(recipes.map((recipe) => [recipe.name, recipe]));
  return {
    recipes,
    topics: [...new Set(recipes.map((recipe) => recipe.topic))].sort(),
    named: (name) => byName.get(name),
    inTopic: (topic) => recipes.filter((recipe) => recipe.topic === topic),
    taking: (kind) => recipes.filter((recipe) => kindFits(kind, recipe.takes)),
    giving: (kind) => recipes.filter((recipe) => kindFits(recipe.gives, kind)),
  };
}
