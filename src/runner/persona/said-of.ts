import { must } from "../../kernel/index.ts";
import { personaSchema } from "./persona.ts";

/** What is said of a key of `agent.yaml`, by the schema that the file is checked with. */
export const saidOf = (key: keyof typeof personaSchema.shape): string =>
  must(personaSchema.shape[key].description ?? null, `the schema describes ${key}`);
