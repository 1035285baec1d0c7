import { workerData } from "node:worker_threads";
import { Channel, MESSAGE, SIDE } from "./channel.ts";
import { Engine } from "./engine.ts";
import type { SandboxLimits } from "./limits.ts";
import { readCall, readReply, sendInspection, sendOutcome, sendSyscall } from "./messages.ts";
import { nameOfThread } from "./thread-cpu.ts";

/** What the host thread gives the engine's thread at its start. */
export type WorkerStart = {
  readonly module: WebAssembly.Module;
  readonly memory: SharedArrayBuffer;
  readonly limits: SandboxLimits;
};

const { module, memory, limits: firstLimits }: WorkerStart = workerData;
// Which exhaustion a trap means is read off its stack trace, whatever flags the process was given.
Error.stackTraceLimit = 10;
const channel = new Channel(memory, SIDE.engine);

/**
 * Serves calls until the host sends something else, which is then the answer that this side waits
 * for. Each call that arrives while one is suspended runs one machine deeper.
 */
const serve = (engine: Engine): void => {
  for (;;) {
    const kind = channel.receive();
    if (kind === MESSAGE.call) sendOutcome(channel, engine.run(readCall(channel)));
    else if (kind === MESSAGE.inspect) {
      sendInspection(channel, engine.inspect(channel.textAt(0), channel.numberAt(0)));
    } else return;
    engine.rest();
  }
};

const start = (limits: SandboxLimits): Engine => {
  const engine: Engine = new Engine(module, limits, {
    codeOf: (key) => {
      channel.begin(MESSAGE.codeWanted).text(key).send();
      serve(engine);
      return channel.bytesAt(0);
    },
    ask: (syscall) => {
      sendSyscall(channel, syscall);
      serve(engine);
      return readReply(channel);
    },
  });
  return engine;
};

// The engine's boundary: whatever goes wrong in here (a trap that is no exhaustion, the native
// stack, a broken rule) is told to the host, which gives this thread up.
try {
  for (let limits = firstLimits; ; limits = JSON.parse(channel.textAt(0))) {
    const engine = start(limits);
    channel.begin(MESSAGE.ready).text(nameOfThread()).send();
    // Ends when the host wants a new engine, of the limits that it then says.
    serve(engine);
  }
} catch (thrown) {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  channel.begin(MESSAGE.broken).text(reason.slice(0, 2000)).send();
}
