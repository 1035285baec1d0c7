import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { guardedFetch } from "../../../src/mind/model/sdk/guarded-fetch.ts";
import type { Provider } from "../../support/model-server/model-server.ts";
import { NEVER, request } from "./requests.ts";
import { KEY, MODEL, PROVIDERS, served, speaking } from "./speaking.ts";

const MB = 1_000_000;
const JSON_TYPE = { "content-type": "application/json" };

const ask = async (provider: Provider, fetch: typeof globalThis.fetch) => {
  const server = await served(() => undefined);
  const asking = request({ model: MODEL[provider] });
  return speaking({ provider, server, fetch }).ask(asking, NEVER);
};

/** A body that never ends, and how much of it was taken. */
const endless = () => {
  const taken = { bytes: 0, isLeft: false };
  const chunk = new Uint8Array(64_000).fill(120);
  const body = new ReadableStream({
    pull: (controller) => {
      taken.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel: () => {
      taken.isLeft = true;
    },
  });
  return { taken, body };
};

describe.each(PROVIDERS)("%s", (provider) => {
  it("that leads elsewhere is not followed: neither key nor prompt goes there", async () => {
    const other = await served(() => ({ text: "give me more" }));
    const server = await served(({ path }) => ({
      status: 307,
      headers: { location: `${other.url}${path}?key=${KEY}` },
    }));
    const asking = request({ model: MODEL[provider] });
    const reply = await speaking({ provider, server }).ask(asking, NEVER);
    const host = new URL(other.url).host;
    expect(reply).toMatchObject({
      ok: false,
      fault: "bad_request",
      retriable: false,
      message: `HTTP 307: the provider's address leads to ${host}, and no key follows it there`,
    });
    expect(other.calls).toEqual([]);
    expect(server.calls).toHaveLength(1);
  });

  it("that never ends its reply is left after some megabytes", async () => {
    const { taken, body } = endless();
    const reply = await ask(provider, async () => new Response(body, { headers: JSON_TYPE }));
    expect(reply).toMatchObject({
      fault: "bad_reply",
      retriable: true,
      message: "the reply is longer than 4 MB",
    });
    expect(taken.isLeft).toBe(true);
    expect(taken.bytes).toBeLessThan(5 * MB);
  });

  it("that never ends telling an error is still understood by its status", async () => {
    const { taken, body } = endless();
    const reply = await ask(
      provider,
      async () => new Response(body, { status: 503, headers: JSON_TYPE }),
    );
    expect(reply).toMatchObject({
      fault: "provider_error",
      message: expect.stringMatching(/^HTTP 503/),
    });
    expect(taken.isLeft).toBe(true);
    expect(taken.bytes).toBeLessThan(MB / 2);
  });

  it("that leads nowhere, or has a status that is none", async () => {
    const nowhere = await ask(provider, async () => new Response(null, { status: 304 }));
    expect(nowhere).toMatchObject({
      fault: "bad_request",
      message: expect.stringMatching(/^HTTP 304: .*elsewhere/),
    });
  });
});

it("what is packed well is measured unpacked", async () => {
  const server = await served(() => ({ text: "hello" }));
  const packed = gzipSync(Buffer.alloc(100 * MB, 120));
  const fetch = async (): Promise<Response> => {
    const body = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(body, { headers: { "content-encoding": "gzip" } });
  };
  await expect(guardedFetch(fetch)(server.url)).rejects.toThrow("longer than 4 MB");
});

it("what is small comes through as it was", async () => {
  const headers = { "retry-after": "3", "content-encoding": "gzip" };
  const fetch = async (): Promise<Response> => new Response("hello", { status: 429, headers });
  const reply = await guardedFetch(fetch)("http://127.0.0.1/");
  expect(await reply.text()).toBe("hello");
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(reply.headers.get("content-encoding")).toBeNull();
});
