import assert from "node:assert/strict";
import { type CallStopped, callFailure, rejection, uncaughtError } from "./call-ending.ts";
import { POLL_COUNTER_RESET, REGEXP_STEPS_PER_TICK } from "./engine-facts.ts";
import type { GasMeter, SandboxLimits } from "./limits.ts";
import type { Arguments, HeapAddress, Machine, MachineHost } from "./machine.ts";
import { PORT } from "./prelude.ts";
import type { AnswerSyscall, CallEnding, SyscallReply } from "./program.ts";

type FrameParts = {
  readonly machine: Machine;
  readonly meter: GasMeter;
  readonly limits: SandboxLimits;
  readonly syscallsMax: number;
  readonly ask: AnswerSyscall;
};

/** Below the reset value. So the counter has the reset value only after a countdown to 0. */
const POLLS_ARMED_MAX = POLL_COUNTER_RESET - 1;

/** One running call. Counts the gas and handles the requests of the prelude. */
export class Frame implements MachineHost {
  readonly machine: Machine;
  readonly meter: GasMeter;
  readonly #parts: FrameParts;
  readonly #log: LogText;
  #armed = 0;
  #syscalls = 0;
  #ending: CallEnding | null = null;

  constructor(parts: FrameParts) {
    this.machine = parts.machine;
    this.meter = parts.meter;
    this.#parts = parts;
    this.#log = new LogText(parts.limits.log_bytes_max);
  }

  get ending(): CallEnding | null {
    return this.#ending;
  }

  get logs(): string {
    return this.#log.text;
  }

  /** Sets the poll counter to reach 0 when the gas runs out. Throws if the gas has run out. */
  arm(): void {
    if (this.meter.exhausted) throw outOfGas();
    this.#armed = Math.min(this.meter.pollsLeft, POLLS_ARMED_MAX);
    this.machine.pollCounter = this.#armed;
  }

  settle(): void {
    if (this.#armed === 0) return;
    const counter = this.machine.pollCounter;
    this.meter.addPolls(counter === POLL_COUNTER_RESET ? this.#armed : this.#armed - counter);
    this.#armed = 0;
  }

  interrupted(): void {
    const fromRegexp = this.machine.pollCounter !== POLL_COUNTER_RESET;
    this.settle();
    if (fromRegexp) this.meter.addPolls(REGEXP_STEPS_PER_TICK);
    this.arm();
  }

  called(args: Arguments): HeapAddress {
    this.settle();
    const result = this.#serve(args);
    this.arm();
    return result;
  }

  #serve(args: Arguments): HeapAddress {
    const { machine, meter } = this;
    const value = (index: number): HeapAddress => machine.argument(args, index);
    const text = (index: number): string => machine.textOf(value(index));
    const operation = machine.integerOf(value(0));
    switch (operation) {
      case PORT.charge:
        meter.addNative(Math.ceil(machine.numberOf(value(1))));
        return 0;
      case PORT.log:
        this.#log.add(text(1));
        return 0;
      case PORT.syscall:
        return this.#syscall(text(1), machine.bytesOf(value(2)));
      case PORT.finish:
        // Does not throw, because a throw is slower. The prelude does nothing after this.
        this.#ending = this.#finished(value(1), value(2));
        return 0;
      case PORT.reject:
        throw rejection(text(1).slice(0, 100), text(2).slice(0, 2000));
      case PORT.break:
        throw uncaughtError(text(1), text(2), text(3));
      default:
        return assert.fail(`unknown operation ${operation} of the prelude`);
    }
  }

  #finished(resultAt: HeapAddress, stateAt: HeapAddress): CallEnding {
    const { machine } = this;
    const { limits } = this.#parts;
    const result = machine.bytesOf(resultAt);
    const state = machine.isUndefined(stateAt) ? null : machine.bytesOf(stateAt);
    return (
      outOfBounds("result", result, limits.result_bytes_max) ??
      (state && outOfBounds("state", state, limits.state_bytes_max)) ?? {
        ok: true,
        resultJson: result.toString(),
        stateJson: state?.toString() ?? null,
      }
    );
  }

  #syscall(name: string, args: Buffer): HeapAddress {
    const { machine, meter } = this;
    const { limits, syscallsMax } = this.#parts;
    if (this.#syscalls >= syscallsMax) throw outOfSyscalls(syscallsMax);
    this.#syscalls += 1;
    meter.addFixed(limits.gas_table.syscall);
    if (meter.exhausted) throw outOfGas();
    const most = Math.max(limits.result_bytes_max, limits.state_bytes_max);
    const problem = tooLong("arguments are", args, most) ?? notPlain("arguments are", args);
    if (problem !== null) return this.#refuse("invalid_argument", `kernel.${name}: ${problem}`);
    const reply = this.#answered(name, args.toString());
    if (reply.ok) {
      meter.addNative(reply.resultJson.length);
      return machine.newString(reply.resultJson);
    }
    if ("fatal" in reply) throw callFailure(reply.fatal, reply.message);
    return this.#refuse(reply.code, reply.message);
  }

  #refuse(code: string, message: string): HeapAddress {
    return this.machine.newString(`!${JSON.stringify({ code, message })}`);
  }

  #answered(name: string, argsJson: string): SyscallReply {
    const { meter } = this;
    const { syscallsMax, ask } = this.#parts;
    const reply = ask({ name, argsJson, gasLeft: meter.left });
    this.#syscalls += reply.syscallsUsed ?? 0;
    meter.addFixed(reply.gasUsed);
    if (this.#syscalls > syscallsMax) throw outOfSyscalls(syscallsMax);
    if (meter.exhausted) throw outOfGas();
    return reply;
  }
}

const tooLong = (what: string, { length }: Uint8Array, most: number): string | null =>
  length > most ? `the ${what} ${length} bytes, the maximum is ${most}` : null;

const notPlain = (what: string, json: Uint8Array): string | null => {
  const problem = plainJsonProblem(json);
  return problem && `the ${what} not plain data: ${problem}`;
};

export const outOfGas = (): CallStopped =>
  callFailure("gas_exhausted", "the gas for this call is used up");

const outOfSyscalls = (most: number): CallStopped =>
  callFailure("syscalls_exhausted", `this call has made its maximum of ${most} syscalls`);

const outOfBounds = (
  what: "result" | "state",
  json: Uint8Array,
  most: number,
): CallEnding | null => {
  const long = tooLong(`${what} is`, json, most);
  if (long !== null) return callFailure(`${what}_too_large`, long).ending;
  const message = notPlain(`${what} is`, json);
  return message === null ? null : callFailure("runtime_error", message).ending;
};

class LogText {
  readonly #bytesMax: number;
  #text = "";
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get text(): string {
    return this.#text;
  }

  add(line: string): void {
    const roomBytes = this.#bytesMax - this.#bytes;
    if (roomBytes <= 0) return;
    const bytes = Buffer.from(`${this.#text === "" ? "" : "\n"}${line}`);
    const kept =
      bytes.length <= roomBytes ? bytes : bytes.subarray(0, wholeCharacters(bytes, roomBytes));
    this.#text += kept.toString("utf8");
    // A truncated line ends the log, even if a shorter line would still fit.
    this.#bytes = bytes.length <= roomBytes ? this.#bytes + bytes.length : this.#bytesMax;
  }
}

/** The largest offset up to `end` that does not split a UTF-8 character. */
const wholeCharacters = (bytes: Uint8Array, end: number): number => {
  let at = end;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
};

const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const LETTER_U = 0x75;

const PROTO_KEY = Buffer.from('"__proto__":');

/**
 * Why JSON text from the engine is not plain data, or null if it is. Expects UTF-8 as written by
 * `JSON.stringify`: no spaces, and `\u` escapes only for lone surrogates and control characters.
 */
const plainJsonProblem = (json: Uint8Array): string | null => {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfText(json, at);
      if (typeof end === "string") return end;
      if (end - at === PROTO_KEY.length - 2 && json[end + 1] === COLON && isProtoKey(json, at)) {
        return 'the key "__proto__" is not allowed';
      }
      at = end;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return null;
};

const endOfText = (json: Uint8Array, start: number): number | string => {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) {
    if (json[at] === BACKSLASH) {
      if (json[at + 1] === LETTER_U) {
        const problem = escapeProblem(json, at + 2);
        if (problem !== null) return problem;
      }
      at += 1;
    }
    at += 1;
  }
  return at;
};

const escapeProblem = (json: Uint8Array, at: number): string | null => {
  const unit = Number.parseInt(String.fromCharCode(...json.subarray(at, at + 4)), 16);
  if (unit === 0) return "text must not contain the character NUL";
  if (unit >= 0xd800) return "text must be well-formed Unicode (it has a lone surrogate)";
  return null;
};

const isProtoKey = (json: Uint8Array, at: number): boolean =>
  PROTO_KEY.every((byte, index) => json[at + index] === byte);
