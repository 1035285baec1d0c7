import { memoryIds } from "../../kernel/index.ts";
import type { Problem } from "../config/index.ts";
import type { Persona } from "./persona.ts";

type Named = Pick<Persona, "id" | "place">;

type Clash = { readonly problem: Problem; readonly other: Named };

/** Returns a problem for each persona whose id or memory id another persona also uses. */
export const clashesIn = (all: readonly Named[]): readonly Problem[] => {
  const personas = all.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const owners = new Map<string, Named>();
  const clashes: Clash[] = [];
  for (const persona of personas) {
    const other = owners.get(persona.id);
    if (other !== undefined) {
      const message = `the id \`${persona.id}\` is used by ${other.place.file}; ids must be unique`;
      clashes.push({ problem: { ...persona.place, message, hint: null }, other });
    }
    owners.set(persona.id, persona);
  }
  for (const [id, named] of owners) clashes.push(...memoryClashes(id, named, owners));
  return firstOfEach(clashes);
};

const memoryClashes = (
  id: string,
  named: Named,
  owners: ReadonlyMap<string, Named>,
): readonly Clash[] => {
  const { place } = named;
  const clashes = Object.values(memoryIds(id)).flatMap((memory): readonly Clash[] => {
    const other = owners.get(memory);
    if (other === undefined) return [];
    const message = `the id \`${other.id}\` is reserved for the memory of ${place.file}`;
    return [{ problem: { ...other.place, message, hint: FIX }, other: named }];
  });
  const other = owners.get(`${id}_working`);
  if (other === undefined) return clashes;
  const message = `the memory of \`${other.id}\` would be the working memory of ${place.file}`;
  return [...clashes, { problem: { ...other.place, message, hint: FIX }, other: named }];
};

/** Two populations can clash in many ids. Returns only the first problem for each two files. */
const firstOfEach = (clashes: readonly Clash[]): readonly Problem[] => {
  const pairs = new Map<string, Problem>();
  for (const { problem, other } of clashes) {
    const pair = `${problem.file}\0${other.place.file}`;
    if (!pairs.has(pair)) pairs.set(pair, problem);
  }
  return [...pairs.values()];
};

const FIX = "choose another id";

/** Returns the first conflict that `newcomer` causes with `personas`, or null if there is none. */
export const clashWith = (newcomer: Named, personas: readonly Named[]): string | null => {
  const before = new Set(clashesIn(personas).map(({ message }) => message));
  const clash = clashesIn([...personas, newcomer]).find(({ message }) => !before.has(message));
  return clash?.message ?? null;
};
