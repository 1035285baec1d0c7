import { agentProblem } from "../../runner/index.ts";
import { type Verdict, verifyCheckpoint, verifyJournal } from "../../world/index.ts";
import { EXIT } from "../exit-code.ts";
import { openRun } from "../open-run.ts";
import { modelCallCheck } from "../recorded-calls.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { isFile } from "../source.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly out: string; readonly json?: boolean };

export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest; or a checkpoint file")
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim verify latest", "sim verify latest --json", "sim verify checkpoints/first/2500.ckpt"],
  ).action((run: string, flags: Flags) => {
    const { output } = shell;
    const verdict = isFile(run) ? verifyCheckpoint(run) : verdictOn(run, flags.out);
    if (!verdict.ok) shell.endWith(EXIT.doesNotHold);
    if (flags.json === true) {
      const { ok, events, stateHash, checks } = verdict;
      output.json({ ok, events, state_hash: stateHash, checks });
      return;
    }
    for (const { name, ok, detail } of inOrder(verdict.checks)) {
      const mark = ok ? output.paint("green", "holds") : output.paint("red", "FAILS");
      // What is wrong stands alone: it names the place and the cure.
      const said = ok ? saidOf(name, detail) : detail;
      output.line(`${mark}  ${name.padEnd(12)} ${said}`.trimEnd());
    }
    output.line(verdict.ok ? `all holds; state hash ${verdict.stateHash}` : "not all holds");
  });
};

/** What each check is of; docs/invariants.md says it in full. */
const PHRASES: { readonly [check: string]: string } = {
  chain: "each event is chained to the one before",
  snapshots: "snapshots are whole",
  replay: "8: applying the events gives the state of every snapshot",
  "invariant-1": "scrip is conserved",
  "invariant-2": "no balance, quota or stock is negative",
  "invariant-3": "accounts, owners and agents have what belongs to them",
  "invariant-4": "disk used is the size of what is owned, within its quota",
  "invariant-5": "what is deleted holds nothing",
  "invariant-6": "what is held has its purpose",
  "invariant-7": "rolling windows are the sums of their entries",
  "invariant-9": "nobody is named who did not ask",
  "invariant-10": "indexes agree with their tables",
  rerun: "recorded commands decide the same again",
  "model-calls": "recorded calls of models can be read",
};

const saidOf = (name: string, detail: string): string =>
  [PHRASES[name], detail].filter((part) => part !== undefined && part !== "").join(": ");

/** By number, where they have one, behind those that have none. */
const inOrder = (checks: Verdict["checks"]): Verdict["checks"] =>
  checks.toSorted((a, b) => numberOf(a.name) - numberOf(b.name));

const numberOf = (name: string): number => Number(/^invariant-(\d+)$/.exec(name)?.[1] ?? 0);

const verdictOn = (run: string, out: string): Verdict => {
  const { journal } = openRun(run, out);
  if (journal.head().seq === 0) {
    throw new UsageProblem(
      `${run}: nothing had begun in it, so that there is nothing to verify`,
      EXIT.doesNotHold,
    );
  }
  const told = verifyJournal(journal, agentProblem);
  const calls = modelCallCheck(journal);
  journal.close();
  return { ...told, ok: told.ok && calls.ok, checks: [...told.checks, calls] };
};
