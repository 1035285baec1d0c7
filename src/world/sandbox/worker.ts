import { readlinkSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { EngineCode } from "./binary/engine-binary.ts";
import { Channel, MESSAGE, SIDE } from "./channel.ts";
import { Engine } from "./engine.ts";
import type { SandboxLimits } from "./limits.ts";
import { readCall, readSyscallReply, sendOutcome, sendSyscall, UNLIMITED } from "./messages.ts";

export type WorkerStart = {
  readonly code: EngineCode;
  readonly memory: SharedArrayBuffer;
  readonly limits: SandboxLimits;
};

const { code, memory, limits: firstLimits }: WorkerStart = workerData;
// `exhaustionOf` reads the stack trace of a trap. A flag of Node must not cut off that trace.
Error.stackTraceLimit = 10;
const channel = new Channel(memory, SIDE.engine);

/** Runs calls until a message of another kind arrives, such as the reply to a syscall. */
const serve = (engine: Engine): void => {
  for (;;) {
    const kind = channel.receive();
    if (kind === MESSAGE.call) sendOutcome(channel, engine.run(readCall(channel)));
    else if (kind === MESSAGE.inspect) {
      sendOutcome(
        channel,
        engine.inspect({ key: channel.textAt(0), gasMax: channel.numberAt(0), workMax: UNLIMITED }),
      );
    } else return;
    engine.reset();
  }
};

const newEngine = (limits: SandboxLimits): Engine => {
  const engine: Engine = new Engine(code, limits, {
    codeOf: (key) => {
      channel.begin(MESSAGE.codeWanted).text(key).send();
      serve(engine);
      return channel.bytesAt(0);
    },
    ask: (syscall) => {
      sendSyscall(channel, syscall);
      serve(engine);
      return readSyscallReply(channel);
    },
  });
  return engine;
};

/** This thread's path in /proc, from which the host reads CPU time. Empty without /proc. */
const threadName = (): string => {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return "";
  }
};

// Catches every error of the engine, such as an unknown trap or a full native stack. The host then
// kills this thread.
try {
  for (let limits = firstLimits; ; limits = JSON.parse(channel.textAt(0))) {
    const engine = newEngine(limits);
    channel.begin(MESSAGE.ready).text(threadName()).send();
    // `serve` returns when the host asks for a new engine. The message has the new limits.
    serve(engine);
  }
} catch (thrown) {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  channel.begin(MESSAGE.broken).text(reason.slice(0, 2000)).send();
}
