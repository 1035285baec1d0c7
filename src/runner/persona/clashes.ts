import type { Problem } from "../config/index.ts";
import type { Persona } from "./persona.ts";

/** An id takes these with it: they are the names of its memories. */
const MEMORY_ENDINGS = ["_memory", "_working_memory"];

type Named = Pick<Persona, "id" | "place">;

/**
 * Personas that want one name, for themselves or for a memory. The blame is the same every time,
 * in whatever order they come.
 */
export const clashesIn = (all: readonly Named[]): readonly Problem[] => {
  const personas = all.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const owners = new Map<string, Named>();
  const problems: Problem[] = [];
  for (const persona of personas) {
    const other = owners.get(persona.id);
    if (other !== undefined) {
      const message = `the id \`${persona.id}\` is taken by ${other.place.file}; ids are unique`;
      problems.push({ ...persona.place, message, hint: null });
    }
    owners.set(persona.id, persona);
  }
  for (const [id, { place }] of owners) {
    for (const ending of MEMORY_ENDINGS) {
      const other = owners.get(`${id}${ending}`);
      if (other === undefined) continue;
      const message = `the id \`${other.id}\` is kept for the memory of ${place.file}`;
      problems.push({ ...other.place, message, hint: CURE });
    }
    const other = owners.get(`${id}_working`);
    if (other === undefined) continue;
    const message = `the memory of \`${other.id}\` would be the working memory of ${place.file}`;
    problems.push({ ...other.place, message, hint: CURE });
  }
  return problems;
};

const CURE = "choose another id";

/** What would be wrong beside these personas if there were one more, in words; null for nothing. */
export const clashWith = (newcomer: Named, personas: readonly Named[]): string | null => {
  const before = new Set(clashesIn(personas).map(({ message }) => message));
  const clash = clashesIn([...personas, newcomer]).find(({ message }) => !before.has(message));
  return clash?.message ?? null;
};
