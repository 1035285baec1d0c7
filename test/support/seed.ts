import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";

/**
 * Property tests look at the same cases each time, so that a red run can be run again.
 * `PROPERTY_SEED=7 npm test` looks at others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) });

// The key that signs what runs may cause is not that of the person who runs the tests.
process.env.CATALLAXY_TEST_STATE ??= mkdtempSync(join(tmpdir(), "catallaxy-test-state-"));
process.env.XDG_STATE_HOME = process.env.CATALLAXY_TEST_STATE;
