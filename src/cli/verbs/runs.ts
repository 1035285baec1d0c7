import type { RunRecord } from "../../observe/index.ts";
import { RUNS_FOLDER, readRun, runFolders } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";

type Flags = { readonly out: string; readonly json?: true };

export const register: Register = (command, { output }) => {
  command
    .option("--out <dir>", "the folder that the runs are in", RUNS_FOLDER)
    .option(
      "--json",
      "print a list of { run_id, status, started_at, from_s, duration_s, events, parent }",
    );
  withExamples(command, ["sim runs", "sim runs --json"]);
  command.action(({ out, json }: Flags) => {
    const records: RunRecord[] = [];
    for (const read of runFolders(out).map(readRun)) {
      if (read.ok) records.push(read.record);
      else output.problem(read.problem);
    }
    records.sort((a, b) => (a.started_at < b.started_at ? -1 : 1));
    if (json) {
      output.json(records);
      return;
    }
    if (records.length === 0) output.note(`there are no runs in ${out}; \`sim run\` makes one`);
    else output.table(["RUN", "STATUS", "STARTED", "SECONDS", "EVENTS"], records.map(rowOf));
  });
};

const rowOf = ({ run_id, status, started_at, from_s, duration_s, events }: RunRecord): string[] => [
  run_id,
  status,
  started_at,
  `${from_s === 0 ? "" : `${from_s} to `}${duration_s ?? "-"}`,
  String(events ?? "-"),
];
