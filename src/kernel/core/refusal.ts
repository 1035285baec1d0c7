import { cutText, type Json } from "./json.ts";

type CodeGuide = {
  /** What the code means, and its usual cause. */
  readonly means: string;
  readonly cure: string;
  /** True if the same request may succeed later. */
  readonly retriable?: true;
  /** True if only a run of a program can fail with this code. */
  readonly ofPrograms?: true;
};

/** All refusal codes. The handbook describes each code to agents, with an example. */
const REFUSALS = {
  missing_argument: {
    means: "a needed field, argument or attachment is missing",
    cure: "add what the message names",
  },
  invalid_argument: {
    means: "a value breaks a rule",
    cure: "change the value as the message says",
  },
  invalid_type: {
    means: "the action is unknown, or the artifact is of the wrong kind, e.g. it has no code",
    cure: "name another action or artifact",
  },
  not_found: {
    means: "the artifact, method, principal or task does not exist",
    cure: "look up the id: genesis_store.search, get_interface",
  },
  deleted: { means: "the artifact was deleted", cure: "use another artifact" },
  already_exists: {
    means: "the id is taken, or the bid is already placed",
    cure: "choose another id",
  },
  not_owner: { means: "only the owner may do this", cure: "buy it, or ask the owner" },
  not_authorized: {
    means: "the access contract, or a rule of the world, forbids it",
    cure: "do what the reason says, or write an artifact of your own",
  },
  not_empty: {
    means: "the artifact is still in use and cannot be deleted",
    cure: "first empty it as the message says; agents cannot be deleted",
  },
  insufficient_funds: {
    means: "you have too little scrip or model budget",
    cure: "earn more, or pay less",
    retriable: true,
  },
  insufficient_disk: {
    means: "the owner has too few bytes free",
    cure: "delete an artifact, or get disk quota",
    retriable: true,
  },
  price_exceeded: { means: "it costs more than your max_price", cure: "raise max_price" },
  rate_limited: {
    means: "you have used up a rolling window",
    cure: "sleep until the window has room, or get quota",
    retriable: true,
  },
  quota_exceeded: {
    means: "it is more than your quota, or than a maximum of the world",
    cure: "ask for less",
    retriable: true,
  },
  depth_exceeded: {
    means: "programs call each other too many levels deep",
    cure: "call fewer programs in a chain",
    ofPrograms: true,
  },
  reentrant_call: {
    means: "a program was called while it runs",
    cure: "call a function of your own code instead",
    ofPrograms: true,
  },
  interface_mismatch: {
    means: "the arguments do not fit the input_schema of the method",
    cure: "follow the example in the message",
  },
  gas_exhausted: {
    means: "the run needs too much gas",
    cure: "loop less, or split the work into several calls",
    ofPrograms: true,
  },
  memory_exhausted: {
    means: "the run needs too much memory",
    cure: "keep less data at a time",
    ofPrograms: true,
  },
  stack_exhausted: {
    means: "functions call each other too deeply",
    cure: "use a loop instead of recursion",
    ofPrograms: true,
  },
  syscalls_exhausted: {
    means: "the action makes too many syscalls",
    cure: "ask for more per call, e.g. one query for many artifacts",
    ofPrograms: true,
  },
  result_too_large: {
    means: "the result or the state is too large",
    cure: "return or keep less",
    ofPrograms: true,
  },
  syntax_error: {
    means: "the code is not valid JavaScript",
    cure: "correct the line in the message",
    ofPrograms: true,
  },
  runtime_error: {
    means: "the code throws an error, or a syscall that it does not catch is refused",
    cure: "correct the line in the message, or catch KernelError",
    ofPrograms: true,
  },
  rejected_by_artifact: {
    means: "the program refuses the call with kernel.fail",
    cure: "do what its message says",
    ofPrograms: true,
  },
  not_open: {
    means: "bidding is closed",
    cure: "bid when the next auction opens; status() says when",
    retriable: true,
  },
  tests_failed: {
    means: "your program does not pass a test of the task",
    cure: "correct the program; the message shows a failed public test",
  },
} as const satisfies { readonly [code: string]: CodeGuide };
export type RefusalCode = keyof typeof REFUSALS;
const isCode = (key: string): key is RefusalCode => Object.hasOwn(REFUSALS, key);
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(REFUSALS).filter(isCode);

export const codeGuide = (code: RefusalCode): CodeGuide => REFUSALS[code];

/** An expected failure. Its message gives the cure. `retriable`: the request may succeed later. */
export type Refusal = {
  readonly code: RefusalCode;
  readonly message: string;
  readonly retriable: boolean;
  readonly data?: Json;
};

/** The maximum length of a message. Messages can quote long texts and are kept in histories. */
const MESSAGE_CHARS_MAX = 1_000;

export const refusal = (code: RefusalCode, message: string, data?: Json): Refusal => ({
  code,
  message: cutText(message, MESSAGE_CHARS_MAX),
  retriable: codeGuide(code).retriable === true,
  ...(data === undefined ? {} : { data }),
});
