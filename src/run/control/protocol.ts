import { z } from "zod";
import { operatorCommand } from "./operator-command.ts";

/** The most UTF-16 units of a line. Each line is one JSON-RPC message. */
export const LINE_CHARS_MAX = 200_000;
/** The most requests of one connection that wait for their response. */
export const REQUESTS_MAX = 32;
/** The most bytes that wait for a client to read them. More closes the connection. */
export const UNREAD_BYTES_MAX = 8_000_000;
/** What a method of a live run takes and returns. */
type MethodForm = { readonly params: z.ZodType; readonly result: z.ZodType };
export type MethodForms = { readonly [name: string]: MethodForm };
export type ParamsOf<Form extends MethodForm> = z.infer<Form["params"]>;
export type ResultOf<Form extends MethodForm> = z.infer<Form["result"]>;

/** The methods that each live run answers. Features of the program add others (`RunFeature`). */
export const OPERATOR_METHODS = {
  /** Executes a command of an operator. A command without effect has the result `ok: false`. */
  operate: {
    params: operatorCommand,
    result: z.object({ ok: z.boolean(), message: z.string(), sent: z.int().optional() }),
  },
};

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

export const refusal = (problem: string): ControlFailure => controlFailure("refused", problem);

/** The answer to all requests after the end of the run. */
export const RUN_OVER: ControlFailure = controlFailure("not_running", "the run has ended");

export type ControlAnswer<Value> = { readonly ok: true; readonly value: Value } | ControlFailure;

export type ControlCall = {
  /** Aborts when the client cancels the request or closes its connection. */
  readonly signal: AbortSignal;
  /** Aborts when the connection is closed. All calls of a connection have the same signal. */
  readonly closed: AbortSignal;
};

/** A method as the run answers it. It must not throw, except for bugs. */
type ControlMethod = {
  readonly params: z.ZodType;
  /** The server has parsed the params. */
  readonly answer: (params: unknown, call: ControlCall) => Promise<ControlAnswer<unknown>>;
};
export type ControlMethods = { readonly [name: string]: ControlMethod };

export const controlMethod = <Form extends MethodForm>(
  { params }: Form,
  answer: (params: ParamsOf<Form>, call: ControlCall) => Promise<ControlAnswer<ResultOf<Form>>>,
): ControlMethod => ({ params, answer: (given, call) => answer(given as ParamsOf<Form>, call) });

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
