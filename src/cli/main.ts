#!/usr/bin/env node
import { EXIT } from "./exit-code.ts";
import { makeOutput, type Sink } from "./output.ts";
import { addVerbs, makeProgram } from "./program.ts";
import type { Shell } from "./shell.ts";
import { troubleOf } from "./trouble.ts";

type Stream = NodeJS.WriteStream;

const COLUMNS = 80;

const sinkOf = (stream: Stream): Sink => ({
  write: (text) => {
    stream.write(text);
  },
  isTerminal: stream.isTTY === true,
  // Some terminals say that they have none.
  columns: () => (stream.columns > 0 ? stream.columns : COLUMNS),
});

/** Whoever reads our output may stop reading, as `head` does; that is no trouble of ours. */
const endWhenUnread = (stream: Stream): void => {
  stream.on("error", (error) => {
    if ("code" in error && error.code === "EPIPE") process.exit();
    throw error;
  });
};

const onSignal: Shell["onSignal"] = (listener) => {
  let times = 0;
  const hear = (signal: NodeJS.Signals): void => {
    times += 1;
    listener(signal === "SIGINT" ? "SIGINT" : "SIGTERM", times);
  };
  process.on("SIGINT", hear).on("SIGTERM", hear);
  return () => {
    process.off("SIGINT", hear).off("SIGTERM", hear);
  };
};

const main = async (args: readonly string[]): Promise<void> => {
  const stdout = sinkOf(process.stdout);
  const stderr = sinkOf(process.stderr);
  const program = makeProgram(stdout, stderr);
  const output = makeOutput({
    stdout,
    stderr,
    wishes: () => {
      const { quiet = false, color = true } = program.opts<{ quiet?: boolean; color?: boolean }>();
      return { quiet, colour: color && (process.env.NO_COLOR ?? "") === "" };
    },
  });
  const end = (error: unknown): void => {
    const { lines, exitCode } = troubleOf(error);
    for (const line of lines) output.problem(line);
    process.exitCode = exitCode;
  };
  process.on("uncaughtException", (error) => {
    end(error);
    process.exit();
  });
  const shell: Shell = {
    output,
    cwd: process.cwd(),
    env: process.env,
    pid: process.pid,
    endWith: (code) => {
      process.exitCode = code;
    },
    endNow: () => process.exit(),
    onSignal,
  };
  try {
    await addVerbs(program, args, shell);
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
  } catch (error) {
    end(error);
  }
};

process.exitCode = EXIT.done;
endWhenUnread(process.stdout);
endWhenUnread(process.stderr);
await main(process.argv.slice(2));
