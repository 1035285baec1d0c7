import { must } from "../../kernel/index.ts";
import type { FrontMatter, Kind, Method } from "./front-matter.ts";

export type Recipe = Omit<FrontMatter, "methods"> & {
  /** A unique name in lower case with underscores. Artifact ids contain this name. */
  readonly name: string;
  /** A script that defines `run`. The only global of the script is `kernel`. */
  readonly code: string;
  readonly interface: { readonly description: string; readonly methods: readonly Method[] };
};

export const mainMethod = ({ interface: { methods } }: Recipe): Method =>
  must(
    methods.find(({ name }) => name === "run"),
    "every recipe must have a method run",
  );

export const parametersOf = (recipe: Recipe): readonly string[] =>
  Object.keys(mainMethod(recipe).input_schema.properties);

/** Each kind on the left is a subtype of the kind on the right. */
const WIDENS: Readonly<Partial<Record<Kind, Kind>>> = {
  integer: "number",
  integers: "numbers",
  tally: "record",
};

/** True if a program that takes the kind `taken` accepts a value of the kind `given`. */
export const kindFits = (given: Kind, taken: Kind): boolean =>
  given === taken || WIDENS[given] === taken;
