import { readlinkSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { Channel, type ChannelEnd, type ToEngine, type ToHost } from "./channel.ts";
import { Engine } from "./engine.ts";
import type { EngineCode } from "./engine-binary.ts";
import type { SandboxLimits } from "./limits.ts";
import type { Syscall, SyscallReply } from "./program.ts";

export type WorkerStart = {
  readonly code: EngineCode;
  readonly limits: SandboxLimits;
  readonly end: ChannelEnd;
};

/** The host kills the thread after a timeout, so the work in the thread needs no limit. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

const { code, limits, end }: WorkerStart = workerData;
// `exhaustionOf` reads the stack trace of a trap. A flag of Node must not cut off that trace.
Error.stackTraceLimit = 10;
const channel = new Channel<ToHost, ToEngine>(end);

/** Runs calls until the reply to a syscall arrives. */
const serve = (engine: Engine): SyscallReply => {
  const ask = (syscall: Syscall): SyscallReply => {
    channel.send({ kind: "syscall", syscall });
    return serve(engine);
  };
  for (;;) {
    const message = channel.receive();
    if (message === null) continue;
    if (message.kind === "reply") return message.reply;
    const { outcome } =
      message.kind === "call"
        ? engine.run(message.call, UNLIMITED, ask)
        : engine.inspect(message.program, message.gasMax, UNLIMITED);
    channel.send({ kind: "outcome", outcome });
    engine.reset();
  }
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
  const engine = new Engine(code, limits);
  channel.send({ kind: "ready", thread: threadName() });
  serve(engine);
} catch (thrown) {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  channel.send({ kind: "broken", reason: reason.slice(0, 2000) });
}
