import { addOutFlags, type OutFlags } from "../flags.ts";
import { type RunRead, readRun, runFolders } from "../run/run-store.ts";
import { type Register, withExamples } from "../shell.ts";

type Listed = Extract<RunRead, { readonly ok: true }>;

export const register: Register = (command, { output }) => {
  const shape = "{ run_id, status, started_at, from_s, duration_s, events, parent }";
  addOutFlags(command, `print a JSON list of ${shape}`);
  withExamples(command, ["sim runs", "sim runs --json"]);
  command.action(({ out, json }: OutFlags) => {
    const runs: Listed[] = [];
    for (const read of runFolders(out).map(readRun)) {
      if (read.ok) runs.push(read);
      else output.problem(read.problem);
    }
    runs.sort(({ record: a }, { record: b }) => (a.started_at < b.started_at ? -1 : 1));
    if (json) output.json(runs.map(({ record }) => record));
    else if (runs.length === 0 && !output.isTsv())
      output.note(`there are no runs in ${out}; \`sim run\` makes one`);
    else output.table(HEAD, runs.map(rowOf));
  });
};

const HEAD = ["run", "status", "started", "seconds", "events", "forked from"];

const rowOf = ({ record, origin }: Listed): readonly (string | number)[] => {
  const { run_id, status, started_at, from_s, duration_s, events } = record;
  const seconds = `${from_s === 0 ? "" : `${from_s} to `}${duration_s ?? "-"}`;
  const from = origin === null ? "-" : `${origin.run_id}, event ${origin.seq}`;
  return [run_id, status, started_at, seconds, events ?? "-", from];
};
