import { must, type Physics } from "../../src/kernel/index.ts";
import { type Config, loadConfig, physicsFor } from "../../src/run/config/index.ts";

const loaded = loadConfig({ file: null, sets: [], flags: [] });

export const SHIPPED_CONFIG: Config = must(
  loaded.ok ? loaded.config : null,
  "the shipped configuration is valid",
);

/** The physics of a world with the default settings. */
export const SHIPPED_PHYSICS: Physics = physicsFor(SHIPPED_CONFIG);
