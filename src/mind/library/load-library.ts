import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type FrontMatter, LibraryError, parseFrontMatter } from "./front-matter.ts";
import type { Recipe } from "./recipe.ts";
import { nameOfParameter, parametersInCode } from "./variant.ts";

/** Reads the programs of a folder, sorted by name. Throws a LibraryError that names a bad file. */
export function loadLibrary(folder: string): readonly Recipe[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .sort();
  const recipes = new Map<string, Recipe>();
  for (const file of files) {
    const path = join(folder, file);
    const recipe = parseRecipe(path, file, readFileSync(path, "utf8"));
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
    throw new LibraryError(path, "must be at <topic>/<name>.js, both in lower case");
  }
  const { matter, code } = parseFrontMatter(path, source);
  if (matter.topic !== topic) {
    throw new LibraryError(path, `topic is ${matter.topic}, but the folder says ${topic}`);
  }
  for (const method of matter.methods) checkSignature(path, code, method);
  const { methods, ...about } = matter;
  return {
    ...about,
    name: name.replaceAll("-", "_"),
    code: code.trim(),
    interface: { description: about.description, methods },
  };
}

/** Throws a LibraryError if the parameters in the code differ from the properties in the schema. */
function checkSignature(path: string, code: string, method: FrontMatter["methods"][number]): void {
  const properties = Object.keys(method.input_schema.properties);
  const parameters = parametersInCode(code, method.name)?.map(nameOfParameter);
  if (parameters?.join() === properties.join()) return;
  const head = `function ${method.name}(${properties.join(", ")})`;
  throw new LibraryError(path, `must contain, on one line, ${head}`);
}
