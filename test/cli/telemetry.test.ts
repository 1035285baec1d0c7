/** The spans that a run sends to an OpenTelemetry collector, which here is a server of the test. */
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, jsonOf, setFlags, startSim } from "../support/sim.ts";

const folder = emptyFolder();
const SECRET = "Nothing to tell a collector.";
const NOOP = JSON.stringify({ thought_process: SECRET, action: { noop: {} } });

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
};

type Span = {
  readonly name: string;
  readonly traceId: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
};

type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

/** A collector on this machine, which keeps what it was sent. */
const startCollector = async (status = 200) => {
  const sent: { readonly path: string; readonly text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    sent.push({ path: request.url ?? "", text: Buffer.concat(chunks).toString() });
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { sent, url: `http://127.0.0.1:${port}`, close };
};

const spansIn = (sent: readonly { readonly text: string }[]): readonly Span[] =>
  sent
    .map(({ text }): Sent => JSON.parse(text))
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

const attributesOf = ({ attributes }: { readonly attributes: readonly Attribute[] }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );

let server: ModelServer;
let collector: Awaited<ReturnType<typeof startCollector>>;

beforeAll(async () => {
  server = await startModelServer(({ n }) => (n === 2 ? faults.notFound() : { text: NOOP }));
  writePersonas(join(folder, "agents"), { ann: { mind: "llm", llm_model: "ollama/small" } });
  collector = await startCollector();
});
afterAll(async () => {
  await collector.close();
  await server.close();
});

/** What a run of three or so thoughts says. */
const running = (name: string, ...settings: readonly string[]) => {
  const address = `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`;
  const sets = setFlags(address, "memory.backend=none", "virtual.think_ms.llm=[2000,2000]");
  const virtual = ["--name", name, "--clock", "virtual", "--duration", "10"];
  return startSim(folder, "run", ...virtual, ...sets, ...setFlags(...settings)).ended;
};

describe("a run with a collector", () => {
  it("sends a span of each call, with its agent, model and tokens, but no prompts", async () => {
    expect(await running("traced", `llm.telemetry.otlp=${collector.url}`)).toMatchObject({
      code: 0,
    });
    expect(new Set(collector.sent.map(({ path }) => path))).toEqual(new Set(["/v1/traces"]));
    const spans = spansIn(collector.sent);
    const { model_calls: calls } = jsonOf(folder, "report", "traced");
    expect([calls.failures, calls.calls > 2]).toEqual([1, true]);
    const chats = spans.filter(({ name }) => name === "chat small");
    expect(chats).toHaveLength(calls.calls);
    const told = chats.map(attributesOf);
    const tokens = told.map((each) => Number(each["gen_ai.usage.input_tokens"] ?? 0));
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBe(calls.input_tokens);
    const roots = spans.filter(({ name }) => name === "invoke_agent decide");
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(calls.calls);
    for (const root of roots) {
      expect(attributesOf(root)).toMatchObject({ "ai.settings.context.agent": "ann" });
    }
    expect(chats.filter(({ status }) => status.code === 2)).toHaveLength(1);
    const [first] = collector.sent.map(({ text }): Sent => JSON.parse(text));
    expect(attributesOf(first?.resourceSpans[0]?.resource ?? { attributes: [] })).toMatchObject({
      "service.name": "catallaxy",
      "catallaxy.run": "traced",
    });
    const text = collector.sent.map((each) => each.text).join("");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("no such model");
    expect(text).not.toContain("noop");
  });

  it("sends the same requests and has the same journal as without", async () => {
    const before = server.calls.length;
    const sent = collector.sent.length;
    await running("plain");
    await running("again", `llm.telemetry.otlp=${collector.url}`);
    const requests = server.calls.slice(before).map(({ body }) => body);
    expect(requests.length).toBeGreaterThan(4);
    expect(requests.slice(requests.length / 2)).toEqual(requests.slice(0, requests.length / 2));
    expect(collector.sent.length).toBeGreaterThan(sent);
    const [plain, again] = ["plain", "again"].map((run) =>
      jsonOf(folder, "verify", run, "--replay"),
    );
    expect(again.state_hash).toBe(plain.state_hash);
  });

  it("sends spans of calls for vectors, and prompts and replies if asked to", async () => {
    const sent = collector.sent.length;
    const memories = ["memory.backend=index", "memory.embedder=openai-compatible/vectors"];
    const telemetry = [`llm.telemetry.otlp=${collector.url}`, "llm.telemetry.record_prompts=true"];
    await running("told", ...memories, ...telemetry);
    const text = collector.sent.slice(sent).map((each) => each.text);
    expect(text.join("")).toContain(SECRET);
    const { model_calls: calls } = jsonOf(folder, "report", "told");
    const embedded = calls.by_purpose.find(
      ({ purpose }: { purpose: string }) => purpose === "embed",
    );
    expect(embedded.calls).toBeGreaterThan(0);
    const spans = spansIn(collector.sent.slice(sent));
    const vectors = spans.filter((span) => span.name === "embeddings vectors");
    expect(vectors.length).toBeGreaterThanOrEqual(embedded.calls);
  });
});

it("a run whose collector refuses spans ends as usual, with one note", async () => {
  const closed = await startCollector(400);
  const { code, err } = await running("alone", `llm.telemetry.otlp=${closed.url}`);
  await closed.close();
  expect([code, closed.sent.length > 0]).toEqual([0, true]);
  expect(err.match(/note: spans could not be sent to the collector/g)).toHaveLength(1);
});

it("an address with a key is refused", async () => {
  const { code, err } = await running("x", "llm.telemetry.otlp=http://a:b@127.0.0.1:1");
  expect([code, err]).toEqual([2, expect.stringContaining("llm.telemetry.otlp")]);
});
