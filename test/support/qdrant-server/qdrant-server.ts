import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, Collection, ok, type Point, refused } from "./collection.ts";
import { type Call, parameterProblem, readCall } from "./requests.ts";

/** A request that arrived. `body` is its JSON, before any check. */
export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly apiKey: string | null;
  readonly body: SeenBody;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any form.
type SeenBody = any;

/** What happens to one request instead of an answer. */
export type Fault =
  | "broken connection"
  | { readonly status: number; readonly retryAfterS?: number };

/**
 * A Qdrant that keeps its points in memory and speaks the part of the REST interface that is used
 * here. It refuses requests of another form. It can be stopped and started again on the same port.
 */
export class QdrantServer {
  readonly collections = new Map<string, Collection>();
  readonly seen: Seen[] = [];
  /** Older servers refuse points with a text to be turned into keywords. */
  infersKeywords = true;
  /** Answers every request with this status. Null for the right answers. */
  brokenStatus: number | null = null;
  /** Redirects every request to this address. Null for none. */
  redirectTo: string | null = null;
  /** The faults of the next requests. */
  readonly faults: Fault[] = [];
  /** Refuses a write of more points, as a server in strict mode does. */
  upsertMax = Number.POSITIVE_INFINITY;
  /** The largest number of requests that were in progress at the same time. */
  requestsMax = 0;
  #requests = 0;
  #gate: Promise<void> = Promise.resolve();
  #server: Server | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  }

  /** Delays all answers until the returned function is called. */
  holdUp(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  points(collection: string): readonly Point[] {
    return [...(this.collections.get(collection)?.points.values() ?? [])];
  }

  /** The requests with this method whose path ends so. */
  requests(method: string, end: string): readonly Seen[] {
    return this.seen.filter((each) => each.method === method && each.path.endsWith(end));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests += 1;
    this.requestsMax = Math.max(this.requestsMax, this.#requests);
    response.once("close", () => {
      this.#requests -= 1;
    });
    let text = "";
    for await (const chunk of request) text += chunk;
    const { pathname: path, searchParams } = new URL(request.url ?? "/", this.url);
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const apiKey = request.headers["api-key"];
    const method = request.method ?? "GET";
    this.seen.push({ method, path, apiKey: typeof apiKey === "string" ? apiKey : null, body });
    await this.#gate;
    if (this.redirectTo !== null) {
      response.writeHead(307, { location: `${this.redirectTo}${path}` }).end();
      return;
    }
    const fault = this.faults.shift();
    if (fault === "broken connection") {
      response.destroy();
      return;
    }
    const status = fault?.status ?? this.brokenStatus;
    if (fault?.retryAfterS !== undefined) response.setHeader("retry-after", fault.retryAfterS);
    const isJson = body === undefined || request.headers["content-type"] === "application/json";
    const problem = isJson ? parameterProblem(searchParams) : "Content type error";
    if (status !== null) send(response, { status, problem: "broken" });
    else if (problem !== null) send(response, refused(problem));
    else send(response, this.#answer(`${method} ${path}`, body));
  }

  #answer(address: string, body: unknown): Answer {
    const [, method, name = "", rest] = /^([A-Z]+) \/collections\/([^/]+)(.*)$/.exec(address) ?? [];
    const call = readCall(`${method} ${rest}`, body);
    if ("problem" in call) return refused(call.problem);
    const collection = this.collections.get(name);
    if (collection === undefined && call.name === "PUT ") {
      this.collections.set(name, new Collection(call.body));
      return ok(true);
    }
    if (collection === undefined) {
      return { status: 404, problem: `Not found: Collection \`${name}\` doesn't exist!` };
    }
    const limit = this.#limitProblem(call);
    return limit === null ? collection.answer(call) : refused(limit);
  }

  #limitProblem(call: Call): string | null {
    if (call.name !== "PUT /points") return null;
    const { points } = call.body;
    if (points.length > this.upsertMax) return "Bad request: Upsert limit exceeded";
    const usesText = points.some(({ vector }) => "bm25" in vector);
    return usesText && !this.infersKeywords ? "Wrong input: inference is not enabled" : null;
  }
}

const send = (response: ServerResponse, answer: Answer): void => {
  response.writeHead(answer.status, { "content-type": "application/json" });
  const [status, result] =
    "problem" in answer ? [{ error: answer.problem }, null] : ["ok", answer.result];
  response.end(JSON.stringify({ time: 0, status, result }));
};
