import { memoryIds } from "../../kernel/index.ts";
import type { Problem } from "../config/index.ts";
import type { Persona } from "./persona.ts";

type Named = Pick<Persona, "id" | "place">;

/** Returns a problem for each persona whose id or memory id another persona also uses. */
export const clashesIn = (all: readonly Named[]): readonly Problem[] => {
  const personas = all.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const owners = new Map<string, Named>();
  const problems: Problem[] = [];
  for (const persona of personas) {
    const other = owners.get(persona.id);
    if (other !== undefined) {
      const message = `the id \`${persona.id}\` is used by ${other.place.file}; ids must be unique`;
      problems.push({ ...persona.place, message, hint: null });
    }
    owners.set(persona.id, persona);
  }
  for (const [id, { place }] of owners) {
    for (const memory of Object.values(memoryIds(id))) {
      const other = owners.get(memory);
      if (other === undefined) continue;
      const message = `the id \`${other.id}\` is reserved for the memory of ${place.file}`;
      problems.push({ ...other.place, message, hint: FIX });
    }
    const other = owners.get(`${id}_working`);
    if (other === undefined) continue;
    const message = `the memory of \`${other.id}\` would be the working memory of ${place.file}`;
    problems.push({ ...other.place, message, hint: FIX });
  }
  return problems;
};

const FIX = "choose another id";

/** Returns the first conflict that `newcomer` causes with `personas`, or null if there is none. */
export const clashWith = (newcomer: Named, personas: readonly Named[]): string | null => {
  const before = new Set(clashesIn(personas).map(({ message }) => message));
  const clash = clashesIn([...personas, newcomer]).find(({ message }) => !before.has(message));
  return clash?.message ?? null;
};
