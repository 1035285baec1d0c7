import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ENGINE_RELEASE, PATCHES, WASM_FILE, WASM_SHA256 } from "./engine-facts.ts";
import { PRELUDE } from "./prelude/index.ts";

/**
 * The compiled engine; threads share its machine code, so a new thread starts with fast code. The
 * version covers everything that outcomes and gas depend on: the build, the patches, the prelude.
 */
export type EngineBinary = { readonly module: WebAssembly.Module; readonly version: string };

let loaded: EngineBinary | null = null;

/** The same for all sandboxes of a process. */
export const loadEngineBinary = (): EngineBinary => {
  loaded ??= readEngineBinary();
  return loaded;
};

/** Reads, checks, patches and compiles the engine. Fails on any build but the one described. */
const readEngineBinary = (): EngineBinary => {
  const file = createRequire(import.meta.url).resolve(WASM_FILE);
  const bytes = Uint8Array.from(readFileSync(file));
  const found = sha256(bytes);
  assert(
    found === WASM_SHA256,
    `${file} is not the engine that engine-facts.ts describes (sha256 ${found}): ` +
      "install @jitl/quickjs-wasmfile-release-sync 0.32.0, or describe the new build there",
  );
  for (const patch of PATCHES) {
    const { offset, expected, replacement } = patch;
    const same = expected.every((byte, index) => bytes[offset + index] === byte);
    assert(same && expected.length === replacement.length, `patch at ${offset} does not fit`);
    bytes.set(replacement, offset);
  }
  const identity = sha256(bytes, PRELUDE).slice(0, 12);
  return { module: new WebAssembly.Module(bytes), version: `${ENGINE_RELEASE}+${identity}` };
};

const sha256 = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
