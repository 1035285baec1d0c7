import { z } from "zod";
import { isObject, type JsonObject, textProblem } from "../../kernel/index.ts";
import { sleepSchema } from "../../mind/index.ts";
import { operatorCommand } from "./operator-command.ts";
import type { SeatLook, SeatOutcome } from "./seat-look.ts";

/** The most UTF-16 units of a line. Each line is one JSON-RPC message. */
export const LINE_CHARS_MAX = 200_000;
/** The most requests of one connection that wait for their response. */
export const REQUESTS_MAX = 32;
/** The most bytes that wait for a client to read them. More closes the connection. */
export const UNREAD_BYTES_MAX = 8_000_000;
/** The most seconds of the run that one wait of a seat takes. */
export const WAIT_S_MAX = 86_400;

const agent = z.string().min(1).max(128);
const sound = z
  .string()
  .refine((value) => textProblem(value) === null, {
    error: ({ input }) => textProblem(String(input)) ?? "",
  });
/** The secret of a seat. */
const token = z.string().min(1).max(128);
const seat = { agent, token };
/** JSON-RPC messages are plain JSON. */
const jsonObject = z.custom<JsonObject>(isObject);
const timeout_s = z.number().min(0).max(WAIT_S_MAX);

/**
 * The methods that a live run answers: what they take and return. To add one, add a row here and
 * its function in `methods.ts`, or for a seat in `seats/seat-methods.ts`. The types of the server
 * and of the client follow from the row.
 */
const METHODS = {
  /** Executes a command of an operator. A command without effect has the result `ok: false`. */
  operate: {
    params: operatorCommand,
    result: z.object({ ok: z.boolean(), message: z.string(), sent: z.int().optional() }),
  },
  /** What a seat sees. On the virtual clock, waits until the seat is to move. */
  seat_look: { params: z.strictObject(seat), result: z.custom<SeatLook>(isObject) },
  /** Makes the next move of a seat. The result comes when its action has ended. */
  seat_act: {
    params: z.strictObject({
      ...seat,
      action: jsonObject,
      reasoning: sound.max(4_000).optional(),
      sleep: sleepSchema.optional(),
    }),
    result: z.custom<SeatOutcome>(isObject),
  },
  /**
   * Waits until the seat is to move, or until it has a message that no look has shown. `timeout_s`
   * is in seconds of the run.
   */
  seat_wait: {
    params: z.strictObject({ ...seat, until: z.enum(["message", "move"]), timeout_s }),
    result: z.object({ woke: z.enum(["message", "move", "timeout", "no_move"]), at_ms: z.int() }),
  },
  /** A page of the handbook, and the names of all pages. */
  seat_page: {
    params: z.strictObject({ ...seat, page: z.string().max(128) }),
    result: z.object({ page: z.string(), text: z.string(), pages: z.array(z.string()) }),
  },
  /** What the program of an agent with `mind: cli` does now. Null: it makes no turn now. */
  turn_status: {
    params: z.strictObject({ agent }),
    result: z.object({
      turn: z
        .object({
          kind: z.enum(["waiting", "thinking", "tool"]),
          tool: z.string().nullable(),
          since_ms: z.number(),
        })
        .nullable(),
    }),
  },
};

export type MethodName = keyof typeof METHODS;
export type ParamsOf<Name extends MethodName> = z.infer<(typeof METHODS)[Name]["params"]>;
export type ResultOf<Name extends MethodName> = z.infer<(typeof METHODS)[Name]["result"]>;

export const CONTROL_METHODS: {
  readonly [Name in MethodName]: {
    readonly params: z.ZodType<ParamsOf<Name>>;
    readonly result: z.ZodType<ResultOf<Name>>;
  };
} = METHODS;

export const isMethodName = (name: string): name is MethodName => Object.hasOwn(METHODS, name);
export const METHOD_NAMES: readonly MethodName[] = Object.keys(METHODS).filter(isMethodName);

/**
 * Why a request has no result. `refused`: the world or the operator refuses it. `not_running`: the
 * run has ended, or never started. `no_answer`: the run cannot be reached, or the caller has
 * stopped waiting. `invalid`: the request breaks the protocol or one of its limits.
 */
export type ControlFailure = {
  readonly ok: false;
  readonly reason: "refused" | "not_running" | "no_answer" | "invalid";
  readonly problem: string;
};

export const controlFailure = (
  reason: ControlFailure["reason"],
  problem: string,
): ControlFailure => ({ ok: false, reason, problem });

export const refused = (problem: string): ControlFailure => controlFailure("refused", problem);

/** The answer to all requests after the end of the run. */
export const OVER: ControlFailure = controlFailure("not_running", "the run has ended");

export type ControlAnswer<Value> = { readonly ok: true; readonly value: Value } | ControlFailure;

export type ControlCall = {
  /** Aborts when the client cancels the request or closes its connection. */
  readonly signal: AbortSignal;
  /** Aborts when the connection is closed. All calls of a connection have the same signal. */
  readonly closed: AbortSignal;
};

/** The functions behind the methods of a run. They must not throw, except for bugs. */
export type ControlMethods = {
  readonly [Name in MethodName]: (
    params: ParamsOf<Name>,
    call: ControlCall,
  ) => Promise<ControlAnswer<ResultOf<Name>>>;
};

/** What clients with the token of a seat can ask of a run. */
export type SeatMethods = Pick<ControlMethods, Extract<MethodName, `seat_${string}`>>;

/** The codes of errors in responses. Those above -32000 belong to this protocol. */
export const ERROR_CODES = {
  /** The client has lost its connection. This code is never sent. */
  disconnected: 0,
  refused: 1,
  not_running: 2,
  no_answer: 3,
  busy: 4,
  parse: -32_700,
  invalid: -32_600,
  unknown_method: -32_601,
  wrong_params: -32_602,
} as const;

/** The notification by which a client cancels its request `params.id`. */
export const CANCEL = "$/cancelRequest";
