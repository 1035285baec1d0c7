import { RUNS_FOLDER, type RunRead, readRun, runFolders } from "../run-record.ts";
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
    const runs: Listed[] = [];
    for (const read of runFolders(out).map(readRun)) {
      if (read.ok) runs.push(read);
      else output.problem(read.problem);
    }
    runs.sort(({ record: a }, { record: b }) => (a.started_at < b.started_at ? -1 : 1));
    if (json) {
      output.json(runs.map(({ record }) => record));
      return;
    }
    if (runs.length === 0) output.note(`there are no runs in ${out}; \`sim run\` makes one`);
    else output.table(HEAD, runs.map(rowOf));
  });
};

type Listed = Extract<RunRead, { readonly ok: true }>;

const HEAD = ["RUN", "STATUS", "STARTED", "SECONDS", "EVENTS", "GOES ON FROM"];

const rowOf = ({ record, origin }: Listed): readonly string[] => {
  const { run_id, status, started_at, from_s, duration_s, events } = record;
  return [
    run_id,
    status,
    started_at,
    `${from_s === 0 ? "" : `${from_s} to `}${duration_s ?? "-"}`,
    String(events ?? "-"),
    origin === null ? "-" : `${origin.run_id}, event ${origin.seq}`,
  ];
};
