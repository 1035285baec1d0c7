import { valueAt } from "../../mind/index.ts";
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
    const rows = [...origins].map(([key, origin]) => {
      return { key, origin, value: valueAt(config, key.split(".")) };
    });
    if (flags.json) {
      const values = rows.map(({ key, value, origin }) => [key, { value, origin }] as const);
      output.json({ file, values: Object.fromEntries(values) });
      return;
    }
    output.table(
      ["key", "value", "from"],
      rows.map(({ key, value, origin }) => [key, JSON.stringify(value), origin]),
    );
  });
};
