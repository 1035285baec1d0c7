import type { ShownExperiment } from "../../experiment/index.ts";
import type { JournalCopy } from "../../world/index.ts";
import type { RunRecord, RunSummary } from "../routes/index.ts";

/** What is left out of a publication, because it can be private. */
export const REDACTIONS = ["prompts", "thoughts", "content"] as const;
export type Redaction = (typeof REDACTIONS)[number];

/** What a published page says about itself. */
export type Publication = {
  /** The version of this program. */
  readonly version: string;
  readonly left_out: readonly Redaction[];
  /** All runs of the publication, also those on other pages. */
  readonly runs: readonly RunRecord[];
  /** The figures of the runs for their list, by run. */
  readonly summaries: Readonly<Record<string, RunSummary>>;
  /** The pages that have the runs, by run, relative to this page. "" is this page. */
  readonly pages: Readonly<Record<string, string>>;
  /** The page with the list of all runs, relative to this page. "" is this page. */
  readonly index: string;
  /** The name of the experiment that made the runs, or null. Its results are on page `index`. */
  readonly experiment_name: string | null;
  /** The results of the experiment, or null if this page does not show them. */
  readonly experiment: ShownExperiment | null;
};

/** A run in a published page. */
export type PublishedRun = {
  /** The configuration, by dotted key, as JSON texts. */
  readonly settings: readonly (readonly [key: string, value: string])[];
  readonly journal: JournalCopy;
  /** The hash of the state after the last event, as `sim verify` prints it. */
  readonly state_hash: string;
};

/** What the verification of a published run has found. */
export type PublishedCheck = {
  readonly events: number;
  /** The events with redacted texts. Their hashes cannot be computed. */
  readonly redacted: number;
  /** What was changed, or null. */
  readonly problem: string | null;
  readonly head: string;
  readonly state_hash: string;
};
