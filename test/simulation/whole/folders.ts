import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { People } from "./people.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Where the shipped personas are. */
const SHIPPED = join(ROOT, "agents");
const SHIPPED_LLM = join(ROOT, "agents-llm");

export const makePeople = (folder: string, { shipped, shippedLlm, own }: People): void => {
  mkdirSync(folder, { recursive: true });
  for (const id of shipped) cpSync(join(SHIPPED, id), join(folder, id), { recursive: true });
  for (const id of shippedLlm) cpSync(join(SHIPPED_LLM, id), join(folder, id), { recursive: true });
  for (const [id, fields] of Object.entries(own)) writePersona(folder, id, fields);
};

/** A part of the shipped one: to read all of it takes as long as a short life. */
export const makeLibrary = (folder: string): void => {
  for (const topic of ["numbers", "text"]) {
    cpSync(join(SHIPPED, "library", topic), join(folder, topic), { recursive: true });
  }
};

export const writePersona = (folder: string, id: string, fields: unknown): void => {
  mkdirSync(join(folder, id), { recursive: true });
  const text = JSON.stringify({ id, ...(fields as object) });
  writeFileSync(join(folder, id, "agent.yaml"), text);
};
