import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Collection, type Point } from "./collection.ts";
import type { Filter } from "./filter.ts";

export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly apiKey: string | null;
  readonly body: Body;
};

type Body = {
  readonly vectors?: { readonly size: number };
  readonly sparse_vectors?: object;
  readonly field_name?: string;
  readonly points?: readonly (Point | string)[];
  readonly ids?: readonly string[];
  readonly vector?: readonly number[];
  readonly query?: { readonly text: string };
  readonly filter?: Filter;
  readonly limit?: number;
};

type Answer = { readonly status: number; readonly result: unknown };

/**
 * A Qdrant that keeps its points in memory and speaks the part of the REST interface that is used
 * here. It can be stopped and started again on the same port, with or without what it held.
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

  points(collection: string): readonly Point[] {
    return [...(this.collections.get(collection)?.points.values() ?? [])];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { pathname: path } = new URL(request.url ?? "/", this.url);
    const body: Body = text === "" ? {} : JSON.parse(text);
    const apiKey = request.headers["api-key"];
    const method = request.method ?? "GET";
    this.seen.push({ method, path, apiKey: typeof apiKey === "string" ? apiKey : null, body });
    if (this.redirectTo !== null) {
      response.writeHead(307, { location: `${this.redirectTo}${path}` }).end();
      return;
    }
    const { status, result } =
      this.brokenStatus === null
        ? this.#answer(`${method} ${path}`, body)
        : { status: this.brokenStatus, result: "broken" };
    const ok = status === 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        time: 0,
        status: ok ? "ok" : { error: result },
        result: ok ? result : null,
      }),
    );
  }

  #answer(call: string, body: Body): Answer {
    const [, name = "", rest = ""] = /^[A-Z]+ \/collections\/([^/]+)(.*)$/.exec(call) ?? [];
    const method = call.split(" ")[0];
    const collection = this.collections.get(name);
    if (rest === "" && method === "PUT") return this.#create(name, body);
    if (collection === undefined) {
      return { status: 404, result: `Not found: Collection \`${name}\` doesn't exist!` };
    }
    switch (`${method} ${rest}`) {
      case "GET ":
        return ok(described(collection));
      case "PUT /index":
        collection.indexes.add(body.field_name ?? "");
        return ok(UPDATED);
      case "PUT /points":
        return this.#upsert(collection, body);
      default:
        return answerAboutPoints(`${method} ${rest}`, collection, body);
    }
  }

  #create(name: string, { vectors, sparse_vectors = undefined }: Body): Answer {
    if (this.collections.has(name)) {
      return { status: 409, result: `Wrong input: Collection \`${name}\` already exists!` };
    }
    this.collections.set(name, new Collection(vectors?.size ?? 0, sparse_vectors ?? null));
    return ok(true);
  }

  #upsert(collection: Collection, { points = [] }: Body): Answer {
    const whole = points.filter((point) => typeof point !== "string");
    if (!this.infersKeywords && whole.some(({ vector }) => "bm25" in vector)) {
      return { status: 400, result: "Wrong input: inference is not enabled" };
    }
    const problem = collection.upsert(whole);
    return problem === null ? ok(UPDATED) : { status: 400, result: problem };
  }
}

const UPDATED = { operation_id: 1, status: "completed" };
const LIMIT = 10;

const ok = (result: unknown): Answer => ({ status: 200, result });

const described = ({ size, sparse }: Collection): object => ({
  status: "green",
  config: { params: { vectors: { size, distance: "Cosine" }, sparse_vectors: sparse } },
});

const answerAboutPoints = (call: string, collection: Collection, body: Body): Answer => {
  const { filter = null, limit = LIMIT } = body;
  switch (call) {
    case "POST /points": {
      const ids = new Set(body.ids);
      return ok(collection.matching(null).filter(({ id }) => ids.has(id)));
    }
    case "POST /points/search":
      return ok(collection.nearest(body.vector ?? [], limit, filter));
    case "POST /points/query":
      return ok({ points: collection.byWords(body.query?.text ?? "", limit, filter) });
    case "POST /points/scroll":
      return ok({ points: collection.matching(filter).slice(0, limit), next_page_offset: null });
    case "POST /points/delete": {
      const doomed = filter === null ? collection.matching(null) : collection.matching(filter);
      for (const { id } of doomed) collection.points.delete(id);
      return ok(UPDATED);
    }
    default:
      return { status: 404, result: `no such call: ${call}` };
  }
};
