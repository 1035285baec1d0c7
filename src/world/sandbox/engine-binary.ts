import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { sha256 } from "../core/sha256.ts";
import {
  ENGINE_RELEASE,
  type EnginePatch,
  PATCHES,
  WASM_FILE,
  WASM_SHA256,
} from "./engine-facts.ts";
import { meteredBinary } from "./metered-binary.ts";
import { PRELUDE } from "./prelude.ts";

type Trap = NonNullable<EnginePatch["trap"]>;

/** The compiled engine, with a meter. `traps`: what each patch that traps means, by its offset. */
export type EngineCode = {
  readonly module: WebAssembly.Module;
  readonly traps: ReadonlyMap<number, Trap>;
};

/** `version` changes if the build, a patch or the prelude changes. */
type EngineBinary = { readonly code: EngineCode; readonly version: string };

let loaded: EngineBinary | null = null;

/** Loads the engine once per process. Throws if the SHA-256 of the file is not `WASM_SHA256`. */
export const loadEngineBinary = (): EngineBinary => {
  loaded ??= readEngineBinary();
  return loaded;
};

const readEngineBinary = (): EngineBinary => {
  const file = createRequire(import.meta.url).resolve(WASM_FILE);
  const bytes = Uint8Array.from(readFileSync(file));
  const found = sha256(bytes);
  assert(
    found === WASM_SHA256,
    `${file} is not the engine that engine-facts.ts describes (sha256 ${found}): install ` +
      "@jitl/quickjs-wasmfile-release-sync 0.32.0, or run npx node scripts/engine-facts.ts",
  );
  for (const patch of PATCHES) bytes.set(patch.bytes, patch.offset);
  const identity = sha256(Buffer.concat([bytes, Buffer.from(PRELUDE)])).slice(0, 12);
  return { code: compiled(bytes), version: `${ENGINE_RELEASE}+${identity}` };
};

const compiled = (bytes: Uint8Array): EngineCode => {
  const trapping = PATCHES.filter(({ trap }) => trap !== undefined);
  const metered = meteredBinary(
    bytes,
    trapping.map(({ offset }) => offset),
  );
  const traps = trapping.flatMap(({ offset, trap }) => {
    const now = metered.offsets.get(offset);
    return now === undefined || trap === undefined ? [] : [[now, trap] as const];
  });
  return { module: new WebAssembly.Module(metered.bytes), traps: new Map(traps) };
};
