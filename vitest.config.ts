import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Compiled modules are kept for the commands that tests start, and for the next run.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "catallaxy-compile-cache");

const SLOW = "test/**/*.slow.test.ts";

export default defineConfig({
  test: {
    setupFiles: ["test/support/seed.ts"],
    pool: "forks",
    // One process runs many files: the engine, the command and its modules are loaded once.
    isolate: false,
    // Node itself loads the tests and the sources, as it does for the command.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    // Long enough for a machine that does much else. A test that waits forever still ends.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: "fast", include: ["test/**/*.test.ts"], exclude: [SLOW] } },
      { extends: true, test: { name: "slow", include: [SLOW] } },
    ],
  },
});
