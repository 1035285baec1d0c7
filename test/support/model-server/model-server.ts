import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Answer, RawStream, Reply } from "./answer.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { embeddingsReply } from "./embeddings-wire.ts";
import { googleWire } from "./google-wire.ts";
import { openAiChatWire } from "./openai-chat-wire.ts";
import { openAiResponsesWire } from "./openai-responses-wire.ts";
import type { Body, Wire } from "./wire.ts";

export type Provider = "google" | "anthropic" | "openai" | "openai-compatible";

export type ServedCall = {
  readonly provider: Provider;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The key, however the provider is given it; empty where there is none. */
  readonly key: string;
  readonly body: Body;
  /** Counts the calls of this server from 1 on. */
  readonly n: number;
  /** The texts to be embedded, in a call for embeddings. */
  readonly texts?: readonly string[];
};

/** The agent that asks, by its name in the system prompt. */
export const askerOf = ({ system }: Pick<ServedCall, "system">): string =>
  /Your name is (\S+)\./.exec(system)?.[1] ?? "";

/** What an embedding is answered with; nothing: vectors made of the texts' letters. */
export type Vectors = { readonly vectors: readonly (readonly number[])[] };

/**
 * What the server says to a call. Nothing: a reply with the text `{}`, or vectors. A promise holds
 * the reply back until it resolves.
 */
export type Script = (
  call: ServedCall,
) => Answer | Vectors | undefined | Promise<Answer | Vectors | undefined>;

export type ModelServer = {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** What to set as the base URL of a provider. */
  baseUrl(provider: Provider): string;
  /** Every call that came in whole, in order. */
  readonly calls: readonly ServedCall[];
  /** Resolves when so many calls have come in. */
  arrived(count: number): Promise<void>;
  /** Cuts what hangs and frees the port. */
  close(): Promise<void>;
};

type Route = { readonly provider: Provider; readonly wire: Wire | null; readonly pattern: RegExp };

const ROUTES: readonly Route[] = [
  {
    provider: "openai-compatible",
    wire: openAiChatWire,
    pattern: /^\/compatible\/v1\/chat\/completions$/,
  },
  { provider: "openai-compatible", wire: null, pattern: /^\/compatible\/v1\/embeddings$/ },
  { provider: "openai", wire: openAiChatWire, pattern: /^\/openai\/v1\/chat\/completions$/ },
  { provider: "openai", wire: openAiResponsesWire, pattern: /^\/openai\/v1\/responses$/ },
  { provider: "openai", wire: null, pattern: /^\/openai\/v1\/embeddings$/ },
  { provider: "anthropic", wire: anthropicWire, pattern: /^\/anthropic\/v1\/messages$/ },
  {
    provider: "google",
    wire: googleWire,
    pattern: /^\/google\/v1beta\/models\/(.+):(?:generateContent|streamGenerateContent)$/,
  },
];

const ADDRESS: { readonly [P in Provider]: string } = {
  google: "/google/v1beta",
  anthropic: "/anthropic/v1",
  openai: "/openai/v1",
  "openai-compatible": "/compatible/v1",
};

/**
 * A server on this machine that speaks like all model providers, for tests: what it says is a
 * script. It answers what it does not know with 404, and it keeps everything it was sent.
 */
export const startModelServer = async (script: Script): Promise<ModelServer> => {
  const calls: ServedCall[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    if (text === null) return;
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const route = ROUTES.find(({ pattern }) => pattern.test(path));
    if (route === undefined) {
      response.writeHead(404).end(`no provider speaks at ${path}`);
      return;
    }
    const call = callFrom({ route, path, headers: request.headers, text, n: calls.length + 1 });
    calls.push(call);
    for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
    await send(response, { wire: route.wire, call, answer: await script(call) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    baseUrl: (provider) => `${url}${ADDRESS[provider]}`,
    calls,
    arrived: (count) =>
      new Promise((resolve) => {
        if (calls.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Null where the caller hung up. */
const bodyOf = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString();
};

type Arrival = {
  readonly route: Route;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly n: number;
};

const callFrom = ({ route, path, headers, text, n }: Arrival): ServedCall => {
  const body: Body = JSON.parse(text);
  const inPath = route.pattern.exec(path)?.[1];
  const bearer = headers.authorization?.replace(/^Bearer /, "");
  const key = String(bearer ?? headers["x-api-key"] ?? headers["x-goog-api-key"] ?? "");
  const spoken = route.wire?.read(body) ?? { system: "", prompt: "" };
  const model = inPath === undefined ? String(body.model) : decodeURIComponent(inPath);
  const call = { provider: route.provider, model, ...spoken, path, headers, key, body, n };
  return route.wire === null ? { ...call, texts: [body.input].flat().map(String) } : call;
};

type Sending = {
  readonly wire: Wire | null;
  readonly call: ServedCall;
  readonly answer: Answer | Vectors | undefined;
};

const send = async (response: ServerResponse, sending: Sending): Promise<void> => {
  const { call, answer } = sending;
  const wire = sending.wire ?? openAiChatWire;
  const json = (status: number, value: unknown, headers: object = {}): void => {
    const text = JSON.stringify(value);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
  const reply = async (whole: unknown): Promise<void> => {
    if (isStreamed(call)) await sendEvents(response, { events: wire.events(whole) });
    else json(200, whole);
  };
  if (answer !== undefined && "whole" in answer) {
    await reply(answer.whole);
  } else if (answer !== undefined && "status" in answer && !("raw" in answer)) {
    json(answer.status, wire.refusal(answer), answer.headers);
  } else if (answer !== undefined && "raw" in answer) {
    const type = { "content-type": "application/json" };
    response.writeHead(answer.status ?? 200, { ...type, ...answer.headers }).end(answer.raw);
  } else if (answer !== undefined && "events" in answer) {
    await sendEvents(response, answer);
  } else if (answer !== undefined && "broken" in answer) {
    const { broken } = answer;
    if (broken === "hang") return;
    if (broken === "reset") response.destroy();
    else if (broken === "not_http") response.socket?.end("220 mail.example ESMTP\r\n");
    else if (broken === "hang_mid_body" || broken === "reset_mid_body") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      // The caller must have seen the beginning before the connection breaks.
      await new Promise<void>((resolve) => response.write('{"id":', () => resolve()));
      if (broken === "reset_mid_body") response.socket?.resetAndDestroy();
    } else await reply(wire.breakdown(answer, call.model));
  } else if (call.texts !== undefined) {
    const vectors = answer !== undefined && "vectors" in answer ? answer.vectors : undefined;
    json(200, embeddingsReply(call.texts, vectors, call.model));
  } else {
    const said: Reply = answer !== undefined && "text" in answer ? answer : { text: "{}" };
    await reply(wire.reply(said, call.model));
  }
};

const isStreamed = ({ body, path }: ServedCall): boolean =>
  body.stream === true || path.endsWith(":streamGenerateContent");

const sendEvents = async (response: ServerResponse, { events, ends }: RawStream): Promise<void> => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    await new Promise<void>((resolve) => response.write(`data: ${data}\n\n`, () => resolve()));
  }
  if (ends === undefined) response.end();
  else if (ends === "reset") response.socket?.resetAndDestroy();
};
