import { valueAt } from "../../mind/index.ts";
import {
  addConfigFlags,
  addScheduleFlags,
  type ConfigFlags,
  openConfig,
  type ScheduleFlags,
  scheduledSets,
} from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";

type Flags = ConfigFlags & ScheduleFlags & { readonly json?: true };

export const register: Register = (command, { output }) => {
  addScheduleFlags(addConfigFlags(command)).option(
    "--json",
    "print one JSON document: { file, values: { key: { value, origin } } }",
  );
  withExamples(command, [
    "sim config",
    "sim config --set run.seed=7 --json",
    "sim config --at 5m --set mint.slots=4",
  ]);
  command.action((flags: Flags) => {
    const { config, origins, file } = openConfig(flags, [], scheduledSets(flags));
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
