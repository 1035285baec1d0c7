import { folderWith } from "./temporary-folder.ts";

/** A lab with one persona for each module, by name. `more` are further files, by path. */
export const labWithMinds = (
  minds: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): string => {
  const personas = Object.entries(minds).flatMap(([name, text]) => [
    [`agents/${name}/agent.yaml`, `id: ${name}\nmind: ./mind.ts\n`] as const,
    [`agents/${name}/mind.ts`, text] as const,
  ]);
  return folderWith({ ...Object.fromEntries(personas), ...more });
};

/** A module whose `decide` contains these lines. The first of them is line 5. */
export const mindWith = (decide: string): string => `import type { UserMind } from "catallaxy";

const mind: UserMind = {
  decide: ({ view, memory, settings, random }) => {
    ${decide}
  },
};
export default mind;
`;

export const NOOP = "return { action: { noop: {} } };";
