import { join } from "node:path";
import { PACKAGE_ROOT } from "../../text/index.ts";

export const SHIPPED_CONFIG = join(PACKAGE_ROOT, "config.yaml");

export const SHIPPED = {
  agents: join(PACKAGE_ROOT, "agents"),
  /** The folder of the programs that policy agents write and sell. */
  programs: join(PACKAGE_ROOT, "agents", "library"),
  /** The folder of the shipped mechanisms: programs that a world can start with. */
  mechanisms: join(PACKAGE_ROOT, "mechanisms"),
  schemas: join(PACKAGE_ROOT, "docs", "schema"),
} as const;

export const SHIPPED_POPULATIONS: ReadonlyMap<string, string> = new Map([
  ["agents", SHIPPED.agents],
  ["agents-llm", join(PACKAGE_ROOT, "agents-llm")],
  ["agents-bargain", join(PACKAGE_ROOT, "agents-bargain")],
]);
