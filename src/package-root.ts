import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root folder of the package. This file is directly below, in src/ or lib/ (compiled). */
export const PACKAGE_ROOT = join(import.meta.dirname, "..");

export const packageVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
};
