import assert from "node:assert/strict";
import { failureOf } from "./call-ending.ts";
import { type Channel, fitsInPayload, MESSAGE } from "./channel.ts";
import type { EngineCall, EngineOutcome } from "./engine.ts";
import type { RawSyscall } from "./frame.ts";
import {
  FAILURE_CODES,
  type FailureCode,
  type ProgramCall,
  type ProgramOutcome,
  type Syscall,
  type SyscallReply,
} from "./program.ts";

// The writer and the reader of each message, side by side, because their layouts must agree.

export const sendCall = (channel: Channel, call: ProgramCall): void => {
  channel.begin(MESSAGE.call).number(call.gasMax).number(call.syscallsMax);
  channel.text(call.program.key).text(call.method).text(call.inputJson).text(call.stateJson);
  channel.send();
};

/** The host kills the thread after a timeout, so the work in the thread needs no limit. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export const readCall = (channel: Channel): EngineCall => ({
  key: channel.textAt(0),
  method: channel.textAt(1),
  input: channel.bytesAt(2),
  state: channel.bytesAt(3),
  gasMax: channel.numberAt(0),
  syscallsMax: channel.numberAt(1),
  workMax: UNLIMITED,
});

export const sendSyscall = (channel: Channel, syscall: RawSyscall): void => {
  channel.begin(MESSAGE.syscall).number(syscall.gasLeft);
  channel.text(syscall.name).bytes(syscall.args).send();
};

export const readSyscall = (channel: Channel): Syscall => ({
  name: channel.textAt(0),
  argsJson: channel.textAt(1),
  gasLeft: channel.numberAt(0),
});

const REPLY = { ok: 0, refused: 1, fatal: 2 } as const;

export const sendSyscallReply = (channel: Channel, reply: SyscallReply): void => {
  const verdict = reply.ok ? REPLY.ok : "fatal" in reply ? REPLY.fatal : REPLY.refused;
  channel.begin(MESSAGE.reply).number(verdict);
  channel.number(reply.gasUsed).number(reply.syscallsUsed ?? 0);
  for (const text of replyTexts(reply)) channel.text(text);
  channel.send();
};

export const fittingReply = (reply: SyscallReply): SyscallReply =>
  fitsInPayload(...replyTexts(reply))
    ? reply
    : {
        ok: false,
        code: "result_too_large",
        message: "the answer is too large for one message",
        gasUsed: reply.gasUsed,
        syscallsUsed: reply.syscallsUsed ?? 0,
      };

const replyTexts = (reply: SyscallReply): readonly string[] => {
  if (reply.ok) return [reply.resultJson];
  return "fatal" in reply ? [reply.fatal, reply.message] : [reply.code, reply.message];
};

export const readSyscallReply = (channel: Channel): SyscallReply => {
  const cost = { gasUsed: channel.numberAt(1), syscallsUsed: channel.numberAt(2) };
  const verdict = channel.numberAt(0);
  if (verdict === REPLY.ok) return { ok: true, resultJson: channel.textAt(0), ...cost };
  const message = channel.textAt(1);
  if (verdict === REPLY.refused) return { ok: false, code: channel.textAt(0), message, ...cost };
  return { ok: false, fatal: failureCode(channel.textAt(0)), message, ...cost };
};

const OUTCOME = { unchanged: 0, changed: 1, failed: 2 } as const;

export const sendOutcome = (channel: Channel, outcome: EngineOutcome): void => {
  const { ending, gas, logs } = outcome;
  channel.begin(MESSAGE.outcome).number(gas);
  if (ending.kind === "finished") {
    const { result, state } = ending;
    channel
      .number(state === null ? OUTCOME.unchanged : OUTCOME.changed)
      .text(logs)
      .bytes(result);
    if (state !== null) channel.bytes(state);
  } else {
    const { code, message, dataJson, place } = ending;
    channel
      .number(OUTCOME.failed)
      .number(place?.line ?? 0)
      .number(place?.column ?? 0);
    channel.text(logs).text(code).text(message).text(dataJson);
  }
  channel.send();
};

export const readOutcome = (channel: Channel): ProgramOutcome => {
  const [gas, verdict] = [channel.numberAt(0), channel.numberAt(1)];
  const spent = { gas, logs: channel.textAt(0) };
  if (verdict === OUTCOME.failed) {
    const dataJson = channel.textAt(3);
    const [code, message] = [failureCode(channel.textAt(1)), channel.textAt(2)];
    const [line, column] = [channel.numberAt(2), channel.numberAt(3)];
    const place = line === 0 ? null : { line, column };
    return failureOf({ code, message, dataJson, place }, spent);
  }
  const stateJson = verdict === OUTCOME.changed ? channel.textAt(2) : null;
  return { ok: true, resultJson: channel.textAt(1), stateJson, ...spent };
};

const failureCode = (text: string): FailureCode => {
  const code = FAILURE_CODES.find((known) => known === text);
  assert(code !== undefined, `${text} must be a failure code`);
  return code;
};
