import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The top of the package; src/cli and dist/cli lie equally deep. */
const TOP = join(import.meta.dirname, "../..");

/** What comes with the package. */
export const SHIPPED = {
  agents: join(TOP, "agents"),
  /** Programs that policy agents write and sell. */
  programs: join(TOP, "agents", "library"),
  /** JSON Schemas, with which editors check what is typed. */
  schemas: join(TOP, "docs", "schema"),
} as const;

/** The populations that come with the package, by the names of their folders. */
export const SHIPPED_POPULATIONS: ReadonlyMap<string, string> = new Map([
  ["agents", SHIPPED.agents],
  ["agents-llm", join(TOP, "agents-llm")],
]);

/** The version of the package. */
export const shippedVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(TOP, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
};
