import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Program, ProgramCall, ProgramOutcome, Syscall, SyscallReply } from "./program.ts";

/** One end of a channel: its port, and how many messages each end has sent, in shared memory. */
export type ChannelEnd = {
  readonly port: MessagePort;
  readonly sent: Int32Array;
  readonly own: 0 | 1;
};

/** Sends messages to another thread. `receive` blocks this thread, without an event loop. */
export class Channel<Sent, Received> {
  readonly #end: ChannelEnd;

  constructor(end: ChannelEnd) {
    this.#end = end;
  }

  send(message: Sent): void {
    const { port, sent, own } = this.#end;
    port.postMessage(message);
    Atomics.add(sent, own, 1);
    Atomics.notify(sent, own);
  }

  /** Waits for the next message. Null if none arrives within `timeoutMs`. */
  receive(timeoutMs = Number.POSITIVE_INFINITY): Received | null {
    const { port, sent, own } = this.#end;
    const other = 1 - own;
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      // Read the count first. If a message arrives before the wait, the wait ends at once.
      const count = Atomics.load(sent, other);
      const received: { readonly message: Received } | undefined = receiveMessageOnPort(port);
      if (received !== undefined) return received.message;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return null;
      Atomics.wait(sent, other, count, leftMs);
    }
  }
}

/** What the host sends to the thread of an engine. */
export type ToEngine =
  | { readonly kind: "call"; readonly call: ProgramCall }
  | { readonly kind: "inspect"; readonly program: Program; readonly gasMax: number }
  | { readonly kind: "reply"; readonly reply: SyscallReply };

/** What the thread of an engine sends to the host. */
export type ToHost =
  /** The engine has started. `thread` is its path in /proc, or empty if it has none. */
  | { readonly kind: "ready"; readonly thread: string }
  | { readonly kind: "syscall"; readonly syscall: Syscall }
  | { readonly kind: "outcome"; readonly outcome: ProgramOutcome }
  | { readonly kind: "broken"; readonly reason: string };
