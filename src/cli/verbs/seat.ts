import { findRun, readText, showProblem } from "../../run/index.ts";
import { SeatClient, SeatPlayer, SeatSession } from "../../seats/index.ts";
import { EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, type OutFlags } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { showMessage } from "../output/message-text.ts";
import { listenForStop } from "../run/execute-run.ts";
import { controlError } from "../run/live-run.ts";

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command).argument("<name>", "an agent of the run with mind: seat"),
    "answer each line of the standard input with one JSON document a line",
  );
  withExamples(command, ["sim seat latest ada", "echo look | sim seat latest ada --json"]);
  command.action((...[run, name, flags]: [string, string, OutFlags]) =>
    take(shell, { run, name, flags }),
  );
};

type Asked = { readonly run: string; readonly name: string; readonly flags: OutFlags };

const take = async (shell: Shell, { run, name, flags }: Asked): Promise<void> => {
  const seat = new SeatClient(findRun(run, flags.out), name);
  const taken = await seat.connect();
  if (!taken.ok) throw controlError(taken);
  const { output } = shell;
  const stopping = listenForStop(shell);
  const ending = new AbortController();
  stopping.onStop(() => ending.abort());
  const session = new SeatSession({
    agent: name,
    player: new SeatPlayer(seat),
    output: { ...output, message: (message) => showMessage(output, message) },
    json: flags.json === true,
    readFile: textIn,
    signal: ending.signal,
  });
  const isDone = await session.hold(shell.lines);
  // A script cannot see what a person sees.
  if (flags.json === true && !isDone && !ending.signal.aborted) shell.endWith(EXIT.failed);
  stopping.end();
  seat.close();
};

const textIn = (file: string): { text: string } | { problem: string } => {
  const read = readText(file);
  return read.ok ? read : { problem: read.problems.map(showProblem).join("; ") };
};
