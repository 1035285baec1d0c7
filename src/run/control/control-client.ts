import type { Socket } from "node:net";
import {
  createJSONRPCErrorResponse,
  createJSONRPCNotification,
  createJSONRPCRequest,
  isJSONRPCResponse,
  JSONRPCClient,
} from "json-rpc-2.0";
import { isObject, jsonIn, jsonProblem } from "../../kernel/index.ts";
import { linesOf, TOO_LONG } from "./lines.ts";
import { JSON_DEPTH_MAX } from "./operator-command.ts";
import {
  CANCEL,
  type ControlAnswer,
  type ControlFailure,
  controlFailure,
  ERROR_CODES,
  LINE_CHARS_MAX,
  type MethodForms,
  type OPERATOR_METHODS,
  type ParamsOf,
  type ResultOf,
} from "./protocol.ts";

/** A connection to a live run, for the methods in `forms`. */
export class ControlClient<Forms extends MethodForms = typeof OPERATOR_METHODS> {
  readonly #forms: Forms;
  readonly #socket: Socket;
  readonly #requests: JSONRPCClient;
  #lastId = 0;
  /** The answer to calls after the end of the connection. */
  #ended = controlFailure("not_running", "the run has ended, or has closed the connection");

  constructor(socket: Socket, forms: Forms) {
    this.#forms = forms;
    this.#socket = socket;
    this.#requests = new JSONRPCClient((message: unknown) => this.#write(message));
    socket.on("error", () => {});
    void this.#read();
  }

  /** Calls a method of the run. If `signal` aborts, cancels the call: the answer is `no_answer`. */
  async call<Name extends keyof Forms & string>(
    name: Name,
    params: ParamsOf<Forms[Name]>,
    signal?: AbortSignal,
  ): Promise<ControlAnswer<ResultOf<Forms[Name]>>> {
    const id = ++this.#lastId;
    const request = createJSONRPCRequest(id, name, params);
    const wrong = jsonProblem(params, JSON_DEPTH_MAX);
    if (wrong !== null) return controlFailure("invalid", wrong);
    const { length } = JSON.stringify(request);
    if (length > LINE_CHARS_MAX) {
      const problem = `a request has at most ${LINE_CHARS_MAX} characters, not ${length}`;
      return controlFailure("invalid", problem);
    }
    if (!this.#socket.writable) return this.#ended;
    if (signal?.aborted === true) return controlFailure("no_answer", UNANSWERED);
    const cancel = (): void => {
      const { no_answer } = ERROR_CODES;
      this.#requests.receive(createJSONRPCErrorResponse(id, no_answer, UNANSWERED));
      this.#write(createJSONRPCNotification(CANCEL, { id }));
    };
    signal?.addEventListener("abort", cancel, { once: true });
    const response = await this.#requests.requestAdvanced(request);
    signal?.removeEventListener("abort", cancel);
    if (response.error?.code === ERROR_CODES.disconnected) return this.#ended;
    if (response.error !== undefined) {
      return controlFailure(reasonOf(response.error.code), response.error.message);
    }
    const read = this.#forms[name]?.result.safeParse(response.result);
    if (read?.success) return { ok: true, value: read.data as ResultOf<Forms[Name]> };
    return controlFailure(
      "invalid",
      `the run gives another result of ${name}; use its version of sim`,
    );
  }

  close(): void {
    this.#socket.end();
  }

  async #read(): Promise<void> {
    for await (const line of linesOf(this.#socket)) {
      const message = line === TOO_LONG ? undefined : jsonIn(line);
      if (!isObject(message) || !isJSONRPCResponse(message)) continue;
      // An error without an id is about the connection.
      if (message.id !== null) this.#requests.receive(message);
      else if (message.error?.code === ERROR_CODES.busy) {
        this.#ended = controlFailure("no_answer", message.error.message);
      }
    }
    this.#requests.rejectAllPendingRequests(this.#ended.problem);
    this.#socket.destroy();
  }

  #write(message: unknown): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }
}

const UNANSWERED = "the run has not answered";

const reasonOf = (code: number): ControlFailure["reason"] => {
  switch (code) {
    case ERROR_CODES.refused:
      return "refused";
    case ERROR_CODES.not_running:
      return "not_running";
    case ERROR_CODES.no_answer:
      return "no_answer";
    default:
      return "invalid";
  }
};
