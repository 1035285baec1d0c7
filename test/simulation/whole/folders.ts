import { cpSync, existsSync, mkdirSync, mkdtempSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentSet } from "./agents.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SHIPPED = join(ROOT, "agents");
const SHIPPED_LLM = join(ROOT, "agents-llm");

/** The in-memory file system of Linux. Worlds do not have to survive a power cut. */
const IN_MEMORY = "/dev/shm";
const FREE_BYTES_MIN = 1e9;

const hasSpace = (folder: string): boolean => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > FREE_BYTES_MIN;
};

/** Makes a temporary folder for one world, in memory if possible. */
export const newWorldFolder = (): string =>
  mkdtempSync(join(hasSpace(IN_MEMORY) ? IN_MEMORY : tmpdir(), "catallaxy-world-"));

export const writeAgents = (folder: string, { shipped, shippedLlm, own }: AgentSet): void => {
  mkdirSync(folder, { recursive: true });
  for (const id of shipped) cpSync(join(SHIPPED, id), join(folder, id), { recursive: true });
  for (const id of shippedLlm) cpSync(join(SHIPPED_LLM, id), join(folder, id), { recursive: true });
  for (const [id, fields] of Object.entries(own)) writePersona(folder, id, fields);
};

/** Copies a part of the shipped library. Reading all of it takes as long as a short session. */
export const writeLibrary = (folder: string): void => {
  for (const topic of ["numbers", "text"]) {
    cpSync(join(SHIPPED, "library", topic), join(folder, topic), { recursive: true });
  }
};

export const writePersona = (folder: string, id: string, fields: unknown): void => {
  mkdirSync(join(folder, id), { recursive: true });
  writeFileSync(join(folder, id, "agent.yaml"), JSON.stringify({ id, ...(fields as object) }));
};
