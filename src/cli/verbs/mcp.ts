import { findRun, RUNS_FOLDER } from "../../run/index.ts";
import { SeatClient, seatServers } from "../../seats/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addRunArgument, port } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { listenForStop } from "../run/execute-run.ts";
import { controlError } from "../run/live-run.ts";

type Flags = { readonly as: string; readonly http?: number; readonly out: string };

export const register: Register = (command, shell) => {
  addRunArgument(command)
    .requiredOption("--as <name>", "an agent of the run with mind: seat")
    .option("--http <port>", "serve by HTTP on this port of 127.0.0.1; 0 selects one", port)
    .option("--out <dir>", "folder that holds all runs", RUNS_FOLDER);
  withExamples(command, [
    "claude mcp add ada -- sim mcp latest --as ada",
    "sim mcp latest --as ada --http 8931",
  ]);
  command.action((run: string, flags: Flags) => serve(run, flags, shell));
};

const serve = async (run: string, flags: Flags, shell: Shell): Promise<void> => {
  const seat = new SeatClient(findRun(run, flags.out), flags.as);
  const taken = await seat.connect();
  if (!taken.ok) throw controlError(taken);
  const stopping = listenForStop(shell);
  const ending = new AbortController();
  stopping.onStop(() => ending.abort());
  const { serveOnHttp, serveOnStdio } = await seatServers();
  if (flags.http === undefined) {
    await serveOnStdio(seat, process.stdin, ending.signal);
  } else {
    const served = await serveOnHttp(seat, flags.http, taken.token);
    if (!served.ok) throw new CliError(served.problem, EXIT.couldNotRun);
    shell.output.line(`serving the seat of ${flags.as} on ${served.address}`);
    shell.output.note("the bearer token is in seats.json of the run");
    await aborted(ending.signal);
    await served.close();
  }
  stopping.end();
  seat.close();
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
