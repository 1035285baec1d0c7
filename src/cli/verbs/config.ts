import { addConfigFlags, type ConfigFlags, openConfig } from "../flags.ts";
import { type Register, withExamples } from "../shell.ts";

type Flags = ConfigFlags & { readonly json?: true };

export const register: Register = (command, { output }) => {
  addConfigFlags(command).option(
    "--json",
    "print one JSON document: { file, values: { key: { value, origin } } }",
  );
  withExamples(command, ["sim config", "sim config --set run.seed=7 --json"]);
  command.action((flags: Flags) => {
    const { config, origins, file } = openConfig(flags);
    const rows = [...origins].map(([key, origin]) => ({ key, origin, value: at(config, key) }));
    if (flags.json) {
      const values = rows.map(({ key, value, origin }) => [key, { value, origin }] as const);
      output.json({ file, values: Object.fromEntries(values) });
      return;
    }
    output.table(
      ["KEY", "VALUE", "FROM"],
      rows.map(({ key, value, origin }) => [key, JSON.stringify(value), origin]),
    );
  });
};

/** The value at a dotted key. The keys themselves contain no dots. */
const at = (config: unknown, key: string): unknown =>
  key
    .split(".")
    .reduce<unknown>(
      (here, name) =>
        typeof here === "object" && here !== null ? Reflect.get(here, name) : undefined,
      config,
    );
