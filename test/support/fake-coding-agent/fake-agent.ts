import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderWith } from "../temporary-folder.ts";
import type { Dialect, Plan, Step } from "./plan.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

type Given = Omit<Partial<Plan>, "steps" | "dialect">;

const planOf = (dialect: Dialect, steps: readonly Step[], given: Given): Plan => ({
  dialect,
  session: "session-1",
  steps,
  ...given,
});

/** The command line of an agent that does these steps. */
export const fakeCommand = (
  dialect: Dialect,
  steps: readonly Step[],
  given: Given = {},
): [string, ...string[]] => [process.execPath, MAIN, JSON.stringify(planOf(dialect, steps, given))];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A PATH on which an agent of this name does these steps. */
export const pathWith = (
  name: Exclude<Dialect, "text">,
  steps: readonly Step[],
  given: Given = {},
): string => {
  const folder = folderWith();
  writeAgent(folder, name, fakeCommand(name, steps, given));
  return `${folder}${delimiter}${process.env.PATH}`;
};

const writeAgent = (folder: string, name: string, command: readonly string[]): void => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec ${command.map(quoted).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
};
