import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root folder of the package. This file is in src/text/, or in lib/text/ (compiled). */
export const PACKAGE_ROOT = join(import.meta.dirname, "../..");

/** The command line of `sim`, with this Node. The package has compiled files, unlike a checkout. */
export const SIM_COMMAND: readonly [string, ...string[]] = [
  process.execPath,
  join(PACKAGE_ROOT, import.meta.url.endsWith(".ts") ? "src/cli/main.ts" : "lib/cli/main.js"),
];

export const packageVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
};
