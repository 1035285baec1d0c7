import type { Register } from "./shell.ts";

/** One verb, loaded only when it is asked for, so that `sim --help` does not load a world. */
export type Verb = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly register: Register }>;
};

/** In the order of the help text. */
export const VERBS: readonly Verb[] = [
  {
    name: "run",
    summary: "run a simulation",
    load: () => import("./verbs/run.ts"),
  },
  {
    name: "resume",
    summary: "go on with a run after a stop or a crash",
    load: () => import("./verbs/resume.ts"),
  },
  {
    name: "checkpoint",
    summary: "keep a state of a run in a file",
    load: () => import("./verbs/checkpoint.ts"),
  },
  {
    name: "fork",
    summary: "a new run from an old state, with something changed",
    load: () => import("./verbs/fork.ts"),
  },
  {
    name: "replay",
    summary: "apply a run's journal again and print its state hash",
    load: () => import("./verbs/replay.ts"),
  },
  {
    name: "verify",
    summary: "check a run's chain, replay, commands and invariants",
    load: () => import("./verbs/verify.ts"),
  },
  {
    name: "events",
    summary: "what happened in a run",
    load: () => import("./verbs/events.ts"),
  },
  {
    name: "state",
    summary: "accounts, artifacts and agents at any point of a run",
    load: () => import("./verbs/state.ts"),
  },
  {
    name: "report",
    summary: "the economy of a run in figures, tables, pictures and words",
    load: () => import("./verbs/report.ts"),
  },
  {
    name: "explain",
    summary: "why an agent has what it has: from its money back to thoughts",
    load: () => import("./verbs/explain.ts"),
  },
  {
    name: "compare",
    summary: "where and how runs differ",
    load: () => import("./verbs/compare.ts"),
  },
  {
    name: "dashboard",
    summary: "runs in a browser, also while they go on",
    load: () => import("./verbs/dashboard.ts"),
  },
  {
    name: "artifact",
    summary: "one artifact: text, versions, customers, revenue",
    load: () => import("./verbs/artifact.ts"),
  },
  {
    name: "runs",
    summary: "list runs",
    load: () => import("./verbs/runs.ts"),
  },
  {
    name: "agents",
    summary: "list, check and make personas",
    load: () => import("./verbs/agents.ts"),
  },
  {
    name: "config",
    summary: "the configuration in force and where each value comes from",
    load: () => import("./verbs/config.ts"),
  },
  {
    name: "init",
    summary: "make a folder with config.yaml and agents/, ready to run",
    load: () => import("./verbs/init.ts"),
  },
  {
    name: "doctor",
    summary: "see whether this machine has what a run needs",
    load: () => import("./verbs/doctor.ts"),
  },
];
