import { join } from "node:path";
import { loadPersonas, type Persona } from "../src/run/index.ts";

/** The shipped population, as often as is needed for so many, each under a name of its own. */
export const crowd = (count: number): readonly Persona[] => {
  const loaded = loadPersonas({
    dirs: [join(import.meta.dirname, "../agents")],
    seed: 1,
    only: [],
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { personas } = loaded;
  return Array.from({ length: count }, (_, n) => {
    const persona = personas[n % personas.length];
    if (persona === undefined) throw new Error("there are personas");
    const round = Math.floor(n / personas.length);
    return round === 0 ? persona : { ...persona, id: `${persona.id}-${round}` };
  });
};
