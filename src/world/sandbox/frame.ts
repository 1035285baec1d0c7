import assert from "node:assert/strict";
import { POLL_COUNTER_RESET, REGEXP_STEPS_PER_TICK } from "./engine-facts.ts";
import type { GasMeter } from "./gas-meter.ts";
import type { SandboxLimits } from "./limits.ts";
import { LogText } from "./log-text.ts";
import type { Address, Arguments, Machine } from "./machine.ts";
import { plainTextProblem } from "./plain-text.ts";
import { PORT } from "./prelude/index.ts";
import { type Ending, failed, Stop } from "./stop.ts";
import type { SyscallReply } from "./syscall.ts";
import { isFromParser, withAdvice, withLine } from "./thrown.ts";

/** A syscall on its way to the host thread. */
export type RawSyscall = {
  readonly name: string;
  readonly args: Uint8Array;
  readonly gasLeft: number;
  readonly syscallsLeft: number;
};

export type FrameParts = {
  readonly machine: Machine;
  readonly meter: GasMeter;
  readonly limits: SandboxLimits;
  readonly syscallsMax: number;
  readonly ask: (syscall: RawSyscall) => SyscallReply;
};

/** Under the engine's own reset value, so that the host can tell its polls from a regexp's. */
const POLLS_ARMED_MAX = POLL_COUNTER_RESET - 1;

/** One running call: what it may still spend, and the answers to what its prelude asks. */
export class Frame {
  readonly #machine: Machine;
  readonly #meter: GasMeter;
  readonly #limits: SandboxLimits;
  readonly #syscallsMax: number;
  readonly #ask: (syscall: RawSyscall) => SyscallReply;
  readonly #log: LogText;
  #armed = 0;
  #syscalls = 0;
  #ending: Ending | null = null;

  constructor(parts: FrameParts) {
    this.#machine = parts.machine;
    this.#meter = parts.meter;
    this.#limits = parts.limits;
    this.#syscallsMax = parts.syscallsMax;
    this.#ask = parts.ask;
    this.#log = new LogText(parts.limits.logBytesMax);
  }

  get syscalls(): number {
    return Math.min(this.#syscalls, this.#syscallsMax);
  }

  /** What the prelude handed over when the method returned; null while it has not. */
  get ending(): Ending | null {
    return this.#ending;
  }

  get logs(): string {
    return this.#log.text;
  }

  /** Sets the engine's poll counter to run out when the gas does. Ends the call if it has. */
  arm(): void {
    if (this.#meter.exhausted) throw outOfGas();
    this.#armed = Math.min(this.#meter.pollsLeft, POLLS_ARMED_MAX);
    this.#machine.pollCounter = this.#armed;
  }

  /** Counts the polls since `arm`. Does nothing when they are counted already. */
  settle(): void {
    if (this.#armed === 0) return;
    const counter = this.#machine.pollCounter;
    this.#meter.addPolls(counter === POLL_COUNTER_RESET ? this.#armed : this.#armed - counter);
    this.#armed = 0;
  }

  interrupted(): void {
    const fromRegexp = this.#machine.pollCounter !== POLL_COUNTER_RESET;
    this.settle();
    if (fromRegexp) this.#meter.addPolls(REGEXP_STEPS_PER_TICK);
    this.arm();
  }

  called(args: Arguments): Address {
    this.settle();
    const result = this.#serve(args);
    this.arm();
    return result;
  }

  #serve(args: Arguments): Address {
    const machine = this.#machine;
    const operation = machine.integerOf(machine.argument(args, 0));
    const value = (index: number): Address => machine.argument(args, index);
    switch (operation) {
      case PORT.charge:
        this.#meter.addNative(Math.ceil(machine.numberOf(value(1))));
        return 0;
      case PORT.log:
        this.#log.add(machine.textOf(value(1)));
        return 0;
      case PORT.syscall:
        return this.#syscall(machine.textOf(value(1)), machine.bytesOf(value(2)));
      case PORT.finish:
        // Not thrown, which would be slower: the prelude does nothing more after it.
        this.#ending = this.#finished(value(1), value(2));
        return 0;
      case PORT.reject: {
        const [code, message] = [machine.textOf(value(1)), machine.textOf(value(2))];
        throw new Stop({
          kind: "rejected",
          code: code.slice(0, 100),
          message: message.slice(0, 2000),
        });
      }
      case PORT.break: {
        const [text, stack, data] = [1, 2, 3].map((index) => machine.textOf(value(index)));
        throw broken(text ?? "", stack ?? "", data ?? "");
      }
      default:
        return assert.fail(`the prelude knows no operation ${operation}`);
    }
  }

  #finished(resultAt: Address, stateAt: Address): Ending {
    const machine = this.#machine;
    const result = machine.bytesOf(resultAt);
    const state = machine.isUndefined(stateAt) ? null : machine.bytesOf(stateAt);
    return (
      outOfBounds("result", result, this.#limits.resultBytesMax) ??
      (state === null ? null : outOfBounds("state", state, this.#limits.stateBytesMax)) ?? {
        kind: "finished",
        result,
        state,
      }
    );
  }

  #syscall(name: string, args: Uint8Array): Address {
    const meter = this.#meter;
    if (this.#syscalls >= this.#syscallsMax) throw outOfSyscalls(this.#syscallsMax);
    this.#syscalls += 1;
    meter.addFixed(this.#limits.gasTable.syscall);
    if (meter.exhausted) throw outOfGas();
    const problem = this.#argumentsProblem(args);
    const reply =
      problem === null ? this.#answered(name, args) : refused(`kernel.${name}: ${problem}`);
    if (reply.ok) {
      meter.addNative(reply.resultJson.length);
      return this.#machine.newString(reply.resultJson);
    }
    if ("fatal" in reply) throw failed(reply.fatal, reply.message);
    const { code, message } = reply;
    return this.#machine.newString(`!${JSON.stringify({ code, message })}`);
  }

  #answered(name: string, args: Uint8Array): SyscallReply {
    const reply = this.#ask({
      name,
      args,
      gasLeft: this.#meter.left,
      syscallsLeft: this.#syscallsMax - this.#syscalls,
    });
    this.#syscalls += reply.syscallsUsed ?? 0;
    this.#meter.addFixed(reply.gasUsed);
    if (this.#syscalls > this.#syscallsMax) throw outOfSyscalls(this.#syscallsMax);
    if (this.#meter.exhausted) throw outOfGas();
    return reply;
  }

  #argumentsProblem(args: Uint8Array): string | null {
    const most = Math.max(this.#limits.resultBytesMax, this.#limits.stateBytesMax);
    if (args.length > most) return `the arguments are ${args.length} bytes, the most is ${most}`;
    const problem = plainTextProblem(args);
    return problem === null ? null : `the arguments are not plain data: ${problem}`;
  }
}

const refused = (message: string): SyscallReply => ({
  ok: false,
  code: "invalid_argument",
  message,
  gasUsed: 0,
});

export const outOfGas = (): Stop => failed("gas_exhausted", "the gas for this call is used up");

const outOfSyscalls = (most: number): Stop =>
  failed("syscalls_exhausted", `this call may make ${most} syscalls and has made them`);

const outOfBounds = (what: "result" | "state", json: Uint8Array, most: number): Ending | null => {
  if (json.length > most) {
    const message = `the ${what} is ${json.length} bytes, the most is ${most}`;
    return { kind: "failed", code: `${what}_too_large`, message };
  }
  const problem = plainTextProblem(json);
  if (problem === null) return null;
  return {
    kind: "failed",
    code: "runtime_error",
    message: `the ${what} is not plain data: ${problem}`,
  };
};

const broken = (text: string, stack: string, data: string): Stop => {
  const message = withAdvice(withLine(text, stack));
  const code = isFromParser(text, stack) ? "syntax_error" : "runtime_error";
  return new Stop({ kind: "failed", code, message, ...(data === "" ? {} : { dataJson: data }) });
};
