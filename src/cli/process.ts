import { EXIT } from "./core/exit.ts";
import type { Sink } from "./core/output.ts";
import type { Shell } from "./core/shell.ts";
import { newProcesses } from "./experiment/run-processes.ts";
import { makeCommandLine } from "./program.ts";

type Stream = NodeJS.WriteStream;

const COLUMNS = 80;
const ROWS = 24;

const sinkOf = (stream: Stream): Sink => ({
  write: (text) => {
    stream.write(text);
  },
  isTerminal: stream.isTTY === true,
  // Some terminals report 0 columns and rows.
  columns: () => (stream.columns > 0 ? stream.columns : COLUMNS),
  rows: () => (stream.rows > 0 ? stream.rows : ROWS),
});

/** Ends the process when a reader such as `head` closes the pipe before the end of the output. */
const endWhenUnread = (stream: Stream): void => {
  stream.on("error", (error) => {
    if ("code" in error && error.code === "EPIPE") process.exit();
    throw error;
  });
};

const onSignal: Shell["onSignal"] = (listener) => {
  let times = 0;
  const handle = (signal: NodeJS.Signals): void => {
    times += 1;
    listener(signal === "SIGINT" ? "SIGINT" : "SIGTERM", times);
  };
  process.on("SIGINT", handle).on("SIGTERM", handle);
  return () => {
    process.off("SIGINT", handle).off("SIGTERM", handle);
  };
};

const ask = async (question: string): Promise<string> => {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input is an answer too, and Ctrl-C ends the process.
  const closed = new Promise<string>((end) => lines.once("close", () => end("")));
  lines.once("SIGINT", () => process.exit(EXIT.interrupted));
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return answer;
};

async function* lines(
  prompt: string,
  signal: AbortSignal,
  complete?: (line: string) => readonly string[],
): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline/promises");
  const isTerminal = process.stdin.isTTY === true;
  const read = createInterface({
    input: process.stdin,
    ...(isTerminal ? { output: process.stderr } : {}),
    prompt,
    signal,
    ...(complete === undefined ? {} : { completer: completerOf(complete) }),
  });
  // A terminal in this mode sends Ctrl-C as a key.
  read.on("SIGINT", () => process.emit("SIGINT", "SIGINT"));
  const ask = (): void => {
    if (isTerminal) read.prompt();
  };
  try {
    ask();
    for await (const line of read) {
      yield line;
      ask();
    }
  } finally {
    read.close();
  }
}

/** Completes the last word of a line. */
const completerOf =
  (complete: (line: string) => readonly string[]) =>
  (line: string): [string[], string] => {
    const word = /\S*$/.exec(line)?.[0] ?? "";
    return [complete(line).filter((offer) => offer.startsWith(word)), word];
  };

/** Runs the command line of this process; `script` is the path of the command. */
export const runInProcess = async (script: string): Promise<void> => {
  const { run, fail } = makeCommandLine({
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    cwd: process.cwd(),
    env: process.env,
    pid: process.pid,
    command: { node: process.execPath, script },
    runProcesses: newProcesses,
    endWith: (code) => {
      process.exitCode = code;
    },
    endNow: () => process.exit(),
    onSignal,
    ask: process.stdin.isTTY === true ? ask : null,
    lines,
  });

  process.exitCode = EXIT.done;
  process.on("uncaughtException", (error) => {
    fail(error);
    process.exit();
  });
  endWhenUnread(process.stdout);
  endWhenUnread(process.stderr);
  await run(process.argv.slice(2));
};
