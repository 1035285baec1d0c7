import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The top of the package; src/cli and dist/cli lie equally deep. */
const TOP = join(import.meta.dirname, "../..");

/** What comes with the package. */
export const SHIPPED = {
  agents: join(TOP, "agents"),
  /** Programs that policy agents write and sell. */
  programs: join(TOP, "agents", "library"),
} as const;

/** The version of the package. */
export const shippedVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(TOP, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
};
