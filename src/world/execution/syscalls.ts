import {
  accept,
  answerQuery,
  cutText,
  type Decided,
  type Id,
  isObject,
  type Json,
  type JsonObject,
  NOTICE_CHARS_MAX,
  NOTIFIED_MAX,
  parseId,
  parseInvokeRequest,
  parseReadRequest,
  parseWriteRequest,
  publicBalance,
  quotasOf,
  type Refusal,
  refusal,
  refuse,
  type Subject,
  textProblem,
  unwantedRefusal,
} from "../../kernel/index.ts";
import { decodeArgs, decodeJson } from "../core/json.ts";
import type { Syscall, SyscallReply } from "../sandbox/index.ts";
import type { Execution } from "./context.ts";
import { Meter } from "./transaction.ts";

type Running = {
  readonly by: Subject;
  readonly caller: Id;
  /** Whom the program has notified, and the last text for each, or null. */
  readonly notified: Map<Id, string | null>;
};

type Ask = Running & {
  readonly execution: Execution;
  readonly args: readonly Json[];
  readonly meter: Meter;
};

/** The syscalls. Each syscall acts as the running artifact. No argument can name another actor. */
const SYSCALLS = {
  random: ({ execution }) => answer(execution.tx.random()),
  balance: ({ execution, by, args }) => {
    const id = idOr(args[0], by.actor);
    const { state } = execution.tx;
    if (id !== by.actor) return answer(id === null ? 0 : publicBalance(state, id));
    const purse = by.purse === null ? undefined : state.holds.get(by.purse);
    return answer(state.accounts.get(id)?.scrip ?? purse?.amount ?? 0);
  },
  pay: ({ execution, by, args }) => {
    const to = parseId(args[0]);
    if (to === null) return refuse("invalid_argument", "pay(to, scrip): `to` is not an id");
    return execution.decide({ kind: "pay", by, to, scrip: args[1] ?? null });
  },
  charge: ({ execution, by, args }) => {
    const from = parseId(args[0]);
    if (from === null)
      return refuse("invalid_argument", "charge(from, scrip): `from` is not an id");
    return execution.decide({ kind: "charge", by, from, scrip: args[1] ?? null });
  },
  give: ({ execution, by, args, caller }) => {
    const [artifact, to] = [parseId(args[0]), parseId(args[1])];
    if (artifact === null || to === null) {
      return refuse("invalid_argument", "give(artifact, to): both must be ids");
    }
    // The caller and the origin asked for this call. As receivers, they usually need no offer.
    const callers = [caller, by.origin];
    return execution.decide({ kind: "give", by, artifact, to, callers });
  },
  notify: ({ execution, by, args, notified }) => {
    const id = parseId(args[0]);
    if (id === null) return refuse("invalid_argument", "notify(id, text?): `id` is not an id");
    if (by.readOnly) {
      return refuse("not_authorized", "an access contract may only read; it cannot notify");
    }
    if (notified.size >= NOTIFIED_MAX && !notified.has(id)) {
      return refuse("quota_exceeded", `a call can notify at most ${NOTIFIED_MAX} agents`);
    }
    const said = args[1] ?? null;
    if (said !== null && (typeof said !== "string" || textProblem(said) !== null)) {
      return refuse("invalid_argument", "notify(id, text?): `text` is not plain text");
    }
    // Without a text, a notification says only what the public log shows to all.
    const unwanted = said === null ? null : unwantedRefusal(execution.tx.state, by, id);
    if (unwanted !== null) return unwanted;
    notified.set(id, said === null ? (notified.get(id) ?? null) : cutText(said, NOTICE_CHARS_MAX));
    return answer(null);
  },
  read: ({ execution, by, args, meter }) => {
    const options = optionsOf(args[1], ["max_price"]);
    if (options === null) return refuse("invalid_argument", "read(id, {max_price?})");
    const request = parseReadRequest({ artifact_id: args[0], max_price: options.max_price });
    if (request.kind !== "accepted") return request;
    return execution.decideGated({ by, meter }, { ...request.answer, by });
  },
  write: ({ execution, by, args, meter }) => {
    if (!isObject(args[0])) return refuse("invalid_argument", "write({artifact_id, ...fields})");
    const request = parseWriteRequest(args[0]);
    if (request.kind !== "accepted") return request;
    const written = execution.write({ by, meter }, request.answer);
    return written.kind === "accepted" ? { ...written, answer: written.answer.answer } : written;
  },
  create_principal: ({ execution, by, args, meter }) => {
    const fields = args[0] ?? {};
    if (!isObject(fields)) return refuse("invalid_argument", "create_principal({id?, ...fields})");
    return execution.decideGated({ by, meter }, { kind: "create_principal", by, fields });
  },
  invoke: ({ execution, by, args, meter }) => {
    const [artifact_id, method, given, options] = args;
    const more = optionsOf(options, ["attach", "max_price"]);
    if (more === null) {
      const shape = "invoke(id, method, args, {attach?: {scrip?, artifacts?}, max_price?})";
      return answer(
        failedWith(refusal("invalid_argument", `wrong fourth argument; call ${shape}`)),
      );
    }
    const request = parseInvokeRequest({
      artifact_id,
      method: method ?? undefined,
      args: given ?? undefined,
      attach: more.attach,
      max_price: more.max_price,
    });
    if (request.kind === "refused") return answer(failedWith(request.refusal));
    if (request.kind !== "accepted") return request;
    const returned = execution.invoke({ by, meter }, request.answer);
    if (returned.ok) {
      const result = decodeJson(returned.result);
      return answer({ success: true, result, error: null });
    }
    return answer(failedWith(returned.refusal));
  },
  query: ({ execution, by, args, meter }) => {
    const kind = typeof args[0] === "string" ? args[0] : "";
    const { state } = execution.tx;
    return execution.search(meter, () => answerQuery(state, kind, args[1] ?? null, by.atMs));
  },
  quota: ({ execution, by, args }) => {
    const id = idOr(args[0], by.origin);
    return answer(id === null ? null : quotasOf(execution.tx.state, id, by.atMs));
  },
} satisfies { readonly [name: string]: (ask: Ask) => Decided<Json> };

export type SyscallName = keyof typeof SYSCALLS;

const answer = (value: Json): Decided<Json> => accept([], value);

const idOr = (given: Json | undefined, fallback: Id): Id | null =>
  given === undefined || given === null ? fallback : parseId(given);

/** For a failed call, `kernel.invoke` returns this value and throws no error. */
const failedWith = ({ code, message, data }: Refusal): Json => ({
  success: false,
  result: null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** Returns the options, or null if the options have unknown fields or are not an object. */
const optionsOf = (given: Json | undefined, known: readonly string[]): JsonObject | null => {
  if (given === undefined || given === null) return {};
  return isObject(given) && Object.keys(given).every((key) => known.includes(key)) ? given : null;
};

const isSyscall = (name: string): name is SyscallName => Object.hasOwn(SYSCALLS, name);
export const SYSCALL_NAMES: readonly SyscallName[] = Object.keys(SYSCALLS).filter(isSyscall);

/** Answers one syscall of a running program. Nested calls end before this function returns. */
export const answerSyscall = (
  execution: Execution,
  running: Running,
  syscall: Syscall,
): SyscallReply => {
  const { tx } = execution;
  if (tx.timedOut)
    return { ok: false, fatal: "gas_exhausted", message: "it was killed", gasUsed: 0 };
  tx.syscalls += 1;
  const { name } = syscall;
  if (!isSyscall(name)) {
    const names = SYSCALL_NAMES.join(", ");
    const message = `kernel.${name} is not a syscall; use one of ${names}`;
    return { ok: false, code: "invalid_argument", message, gasUsed: 0 };
  }
  const args = decodeArgs(syscall.argsJson);
  const meter = new Meter(syscall.gasLeft).nested();
  const before = tx.syscalls;
  const decision: Decided<Json> = SYSCALLS[name]({ ...running, execution, args, meter });
  const spent = { gasUsed: meter.used, syscallsUsed: tx.syscalls - before };
  switch (decision.kind) {
    case "accepted":
      return { ok: true, resultJson: JSON.stringify(decision.answer), ...spent };
    case "refused": {
      const { code, message } = decision.refusal;
      return { ok: false, code, message, ...spent };
    }
    case "asks":
      return { ok: false, code: "not_authorized", message: "an access contract asks", ...spent };
  }
};
