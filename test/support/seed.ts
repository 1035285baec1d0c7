import fc from "fast-check";

/**
 * Property tests look at the same cases each time, so that a red run can be run again.
 * `PROPERTY_SEED=7 npm test` looks at others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) });
