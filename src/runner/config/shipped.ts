import { join } from "node:path";
import { PACKAGE_ROOT } from "../../package-root.ts";

/** The file with the default of every setting. */
export const SHIPPED_CONFIG = join(PACKAGE_ROOT, "config.yaml");

export const SHIPPED = {
  agents: join(PACKAGE_ROOT, "agents"),
  /** Programs that policy agents write and sell. */
  programs: join(PACKAGE_ROOT, "agents", "library"),
  /** JSON Schemas for editors. */
  schemas: join(PACKAGE_ROOT, "docs", "schema"),
} as const;

/** The shipped populations, by folder name. */
export const SHIPPED_POPULATIONS: ReadonlyMap<string, string> = new Map([
  ["agents", SHIPPED.agents],
  ["agents-llm", join(PACKAGE_ROOT, "agents-llm")],
]);
