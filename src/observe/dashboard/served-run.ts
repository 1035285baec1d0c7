import type { Context } from "hono";
import type { Result } from "../../kernel/index.ts";
import type { Tick } from "./live-feed.ts";
import type { RunReader } from "./run-reader.ts";

/** A run that the routes read: from its folder, or from a published page. */
export type ServedRun = {
  readonly id: string;
  readonly reader: RunReader;
  readonly tick: () => Tick;
  /** The configuration, by dotted key, as JSON texts. */
  readonly settings: () => Result<{ readonly settings: ReadonlyMap<string, string> }>;
  /** What the program of a coding agent does now, as `turn`. Null between turns. */
  readonly turnOf: (agent: string) => Promise<object>;
};

export type RunOpened<Run extends ServedRun = ServedRun> =
  | { readonly ok: true; readonly run: Run }
  | { readonly ok: false; readonly problem: string; readonly unknown: boolean };

export type ServedRuns = { readonly open: (id: string) => RunOpened };

/** Returns a response object, or a problem in one line. */
export type RunAnswer = (
  run: ServedRun,
  context: Context,
) => Promise<object | string> | object | string;
export type RunRoute = readonly [path: string, answer: RunAnswer];
