import type { CountedFrom } from "../observe/index.ts";

/** Where a run comes from, if from anywhere, and that its figures count from there. */
export const originLine = ({ run, seq, at_ms }: CountedFrom): string | null =>
  run === null
    ? null
    : `forked from ${run} at event ${seq}, ${at_ms / 1_000} s; figures count from there`;
