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
    for (const { name, ok, detail } of verdict.checks) {
      const mark = ok ? output.paint("green", "holds") : output.paint("red", "FAILS");
      output.line(`${mark}  ${name.padEnd(12)} ${detail}`.trimEnd());
    }
    output.line(verdict.ok ? `all holds; state hash ${verdict.stateHash}` : "not all holds");
  });
};

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
