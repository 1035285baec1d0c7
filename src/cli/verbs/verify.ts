import { readCalls } from "../../model/index.ts";
import { agentProblem, isFile, isRunFile, openRun, seqAt } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import {
  type Journal,
  type RunPoint,
  replay,
  restore,
  stateHash,
  type Verification,
  verifyCheckpoint,
  verifyJournal,
} from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, MOMENT_HELP, moment, type OutFlags, RUN_HELP } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";

type Flags = OutFlags & { readonly replay?: RunPoint | true };

export const register: Register = (command, shell) => {
  const replayHelp = `only apply the journal, and print the state hash of the end, or of ${MOMENT_HELP}`;
  addOutFlags(
    command
      .argument("<run>", `checkpoint file, ${RUN_HELP}`)
      .option("--replay [moment]", replayHelp, moment),
  );
  withExamples(command, [
    "sim verify latest",
    "sim verify latest --json",
    "sim verify latest --replay 5m",
    "sim verify checkpoints/first/300s-6886.ckpt",
  ]);
  command.action((run: string, flags: Flags) => {
    const { output } = shell;
    if (flags.replay !== undefined) return printReplay(run, flags, output);
    const verdict =
      isFile(run) && !isRunFile(run) ? verifyCheckpoint(run) : verifyRun(run, flags.out);
    if ("foreign" in verdict) throw new CliError(verdict.foreign);
    if (!verdict.ok) shell.endWith(EXIT.failed);
    if (flags.json === true) {
      const { ok, events, stateHash, checks } = verdict;
      output.json({ ok, events, state_hash: stateHash, checks });
      return;
    }
    // For a failed check, the detail says where the check failed and how to fix the problem.
    const rows = byNumber(verdict.checks).map(({ name, ok, detail }) => [
      ok ? output.paint("green", "holds") : output.paint("red", "FAILS"),
      name,
      ok ? describe(name, detail) : detail,
    ]);
    output.table(["result", "check", "detail"], rows);
    const end = `all checks hold; state hash ${verdict.stateHash}`;
    output.line(verdict.ok ? end : "some checks fail");
  });
};

const printReplay = (run: string, { out, json, replay: end }: Flags, output: Output): void => {
  const { journal } = openRun(run, out);
  const to = end === true ? undefined : seqAt(journal, "--replay", end);
  const startedAt = performance.now();
  // From the first event, or with a moment from the nearest snapshot.
  const { state, applied, seq } =
    to === undefined ? replay(journal) : restore(journal, { upTo: to });
  const elapsedS = (performance.now() - startedAt) / 1000;
  journal.close();
  const hash = stateHash(state);
  const rate = Math.round(applied / Math.max(elapsedS, 1e-6));
  if (json === true) {
    output.json({ last_seq: seq, state_hash: hash, events_per_s: rate });
    return;
  }
  output.line(`${counted(applied, "event")} applied, ${rate} per second`);
  output.line(`state hash ${hash} after event ${seq}`);
};

const PHRASES: { readonly [check: string]: string } = {
  checkpoint: "the file is complete",
  state: "the state matches its hash, and a run can continue from it",
  chain: "each event contains the hash of the one before",
  snapshots: "snapshots are undamaged",
  replay: "invariant 8, replay gives the state of every snapshot",
  "invariant-1": "scrip is conserved",
  "invariant-2": "no balance, quota or stock is negative",
  "invariant-3": "every account, owner and agent that is referred to exists",
  "invariant-4": "disk use equals the size of the owned artifacts, within the quota",
  "invariant-5": "deleted artifacts hold nothing",
  "invariant-6": "every hold has a purpose",
  "invariant-7": "the total of each rolling window is the sum of its entries",
  "invariant-9": "each event names only principals that asked for it",
  "invariant-10": "indexes match their tables",
  "invariant-11": "inboxes list or count every event",
  "invariant-12": "model budget is conserved",
  "invariant-13": "mailboxes hold only messages of their owners",
  "invariant-14": "each agent in review has a proposal",
  rerun: "running the recorded commands again gives the same decisions",
  "model-calls": "recorded model calls can be read",
};

const describe = (name: string, detail: string): string =>
  [PHRASES[name], detail].filter((part) => part !== undefined && part !== "").join(": ");

/** Sorts checks without a number first, then the invariants by number. */
const byNumber = (checks: Verification["checks"]): Verification["checks"] =>
  checks.toSorted((a, b) => numberOf(a.name) - numberOf(b.name));

const numberOf = (name: string): number => Number(/^invariant-(\d+)$/.exec(name)?.[1] ?? 0);

const verifyRun = (run: string, out: string): Verification => {
  const { journal } = openRun(run, out);
  if (journal.head().seq === 0) {
    throw new CliError(`${run} has no events, so there is nothing to verify`, EXIT.failed);
  }
  const verdict = verifyJournal(journal, agentProblem);
  const calls = modelCallCheck(journal);
  journal.close();
  return { ...verdict, ok: verdict.ok && calls.ok, checks: [...verdict.checks, calls] };
};

const modelCallCheck = (journal: Journal): Verification["checks"][number] => {
  const name = "model-calls";
  let count = 0;
  for (const read of readCalls(journal.modelCalls())) {
    if (!read.ok) return { name, ok: false, detail: `record ${read.id}: ${read.problem}` };
    count += 1;
  }
  return { name, ok: true, detail: counted(count, "call") };
};
