import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  type JSONRPCResponse,
} from "json-rpc-2.0";
import { z } from "zod";
import { isObject, jsonIn } from "../../kernel/index.ts";
import { listed } from "../../text/index.ts";
import { linesOf, TOO_LONG } from "./lines.ts";
import {
  CANCEL,
  type ControlMethods,
  ERROR_CODES,
  LINE_CHARS_MAX,
  REQUESTS_MAX,
  UNREAD_BYTES_MAX,
} from "./protocol.ts";

const requestId = z.union([z.string(), z.number()]);
const request = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: requestId,
  method: z.string(),
  params: z.unknown().optional(),
});
const cancellation = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.literal(CANCEL),
  params: z.strictObject({ id: requestId }),
});

/** How long a connection that is refused stays open for reading. */
const REFUSAL_MS_MAX = 1_000;

type RequestId = z.infer<typeof requestId>;

/**
 * One client of a live run. The run takes at most one line of it per turn of the event loop. A bug
 * in a method ends the process.
 */
export class ControlConnection {
  readonly #socket: Socket;
  readonly #methods: ControlMethods;
  readonly #closed = new AbortController();
  /** The requests without a response. */
  readonly #calls = new Map<RequestId, AbortController>();

  constructor(socket: Socket, methods: ControlMethods) {
    this.#socket = socket;
    this.#methods = methods;
  }

  /** Answers requests until the client or the run closes the connection. */
  async serve(): Promise<void> {
    for await (const line of linesOf(this.#socket)) {
      if (line === TOO_LONG) {
        this.#fail(null, ERROR_CODES.invalid, `a line has at most ${LINE_CHARS_MAX} characters`);
      } else this.#take(jsonIn(line));
      await turn();
    }
    for (const call of this.#calls.values()) call.abort();
    this.#closed.abort();
    this.#socket.destroySoon();
  }

  /**
   * Refuses the connection. The socket stays open for reading until the client has closed it, or
   * for a short time: a client that writes to a closed socket does not get the reason any more.
   */
  refuse(problem: string): void {
    this.#fail(null, ERROR_CODES.busy, problem);
    this.#socket.end();
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), REFUSAL_MS_MAX).unref();
  }

  #take(message: unknown): void {
    const cancelled = cancellation.safeParse(message);
    if (cancelled.success) {
      this.#calls.get(cancelled.data.params.id)?.abort();
      return;
    }
    const read = request.safeParse(message);
    if (read.success) void this.#answer(read.data);
    else if (message === undefined) this.#fail(null, ERROR_CODES.parse, "this line is not JSON");
    else this.#fail(idOf(message), ERROR_CODES.invalid, `not a request; ${SHAPE}`);
  }

  async #answer({ id, method, params }: z.infer<typeof request>): Promise<void> {
    const called = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (called === undefined) {
      const names = Object.keys(this.#methods);
      const known = `the methods are ${listed(names, names.length)}`;
      return this.#fail(id, ERROR_CODES.unknown_method, `there is no method "${method}"; ${known}`);
    }
    if (this.#calls.has(id)) {
      return this.#fail(id, ERROR_CODES.invalid, "an earlier request with this id has no response");
    }
    if (this.#calls.size >= REQUESTS_MAX) {
      const problem = `at most ${REQUESTS_MAX} requests of a connection wait for their response`;
      return this.#fail(id, ERROR_CODES.busy, problem);
    }
    const read = called.params.safeParse(params);
    if (!read.success) return this.#fail(id, ERROR_CODES.wrong_params, problemIn(read.error));
    const call = new AbortController();
    this.#calls.set(id, call);
    const signals = { signal: call.signal, closed: this.#closed.signal };
    const answer = await called.answer(read.data, signals);
    this.#calls.delete(id);
    if (answer.ok) this.#write(createJSONRPCSuccessResponse(id, answer.value));
    else this.#fail(id, ERROR_CODES[answer.reason], answer.problem);
  }

  #fail(id: RequestId | null, code: number, problem: string): void {
    this.#write(createJSONRPCErrorResponse(id, code, problem));
  }

  #write(response: JSONRPCResponse): void {
    if (!this.#socket.writable) return;
    const line = JSON.stringify(response);
    if (line.length > LINE_CHARS_MAX) {
      // The client drops such a line, and its call would wait without end.
      const problem = `the result has more than ${LINE_CHARS_MAX} characters`;
      return this.#fail(response.id, ERROR_CODES.invalid, problem);
    }
    this.#socket.write(`${line}\n`);
    if (this.#socket.writableLength > UNREAD_BYTES_MAX) this.#socket.destroy();
  }
}

const SHAPE = 'send { "jsonrpc": "2.0", "id", "method", "params" }';

const idOf = (message: unknown): RequestId | null =>
  isObject(message) ? (requestId.safeParse(message.id).data ?? null) : null;

const problemIn = ({ issues: [issue] }: z.ZodError): string =>
  `${["params", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "wrong"}`;
