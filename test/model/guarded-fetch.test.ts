import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { guardedFetch } from "../../src/model/sdk/guarded-fetch.ts";
import { exchange, KEY, PROVIDERS, served } from "./sdk-bench.ts";

const MB = 1_000_000;
const JSON_TYPE = { "content-type": "application/json" };

/** A body without an end, and how much of it was read. */
const endless = () => {
  const taken = { bytes: 0, isCancelled: false };
  const chunk = new Uint8Array(64_000).fill(120);
  const body = new ReadableStream({
    pull: (controller) => {
      taken.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel: () => {
      taken.isCancelled = true;
    },
  });
  return { taken, body };
};

describe.each(PROVIDERS)("a request to %s", (provider) => {
  const replyTo = async (response: Response) => {
    const fetch = async (): Promise<Response> => response;
    return (await exchange(provider, () => undefined, { fetch })).reply;
  };

  it("follows no redirect, which would get the key and the prompt", async () => {
    const other = await served(() => ({ text: "give me more" }));
    const { reply, server } = await exchange(provider, ({ path }) => ({
      status: 307,
      headers: { location: `${other.url}${path}?key=${KEY}` },
    }));
    const host = new URL(other.url).host;
    expect(reply).toMatchObject({
      ok: false,
      fault: "bad_request",
      retriable: false,
      message: `HTTP 307: the provider redirects to ${host}; set base_url to the final address`,
    });
    expect(other.calls).toEqual([]);
    expect(server.calls).toHaveLength(1);
  });

  it("fails for a redirect without a target", async () => {
    const reply = await replyTo(new Response(null, { status: 304 }));
    const message = expect.stringMatching(/^HTTP 304: .*elsewhere/);
    expect(reply).toMatchObject({ fault: "bad_request", message });
  });

  it("stops reading an endless reply after some megabytes", async () => {
    const { taken, body } = endless();
    const reply = await replyTo(new Response(body, { headers: JSON_TYPE }));
    const message = "the reply is longer than 4 MB";
    expect(reply).toMatchObject({ fault: "bad_reply", retriable: true, message });
    expect(taken.isCancelled).toBe(true);
    expect(taken.bytes).toBeLessThan(5 * MB);
  });

  it("understands an endless error by its status", async () => {
    const { taken, body } = endless();
    const reply = await replyTo(new Response(body, { status: 503, headers: JSON_TYPE }));
    const message = expect.stringMatching(/^HTTP 503/);
    expect(reply).toMatchObject({ fault: "provider_error", message });
    expect(taken.isCancelled).toBe(true);
    expect(taken.bytes).toBeLessThan(MB / 2);
  });
});

it("a compressed reply is limited by its decompressed size", async () => {
  const packed = gzipSync(Buffer.alloc(5 * MB, 120));
  const fetch = async (): Promise<Response> => {
    const body = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(body, { headers: { "content-encoding": "gzip" } });
  };
  await expect(guardedFetch(fetch)("http://127.0.0.1/")).rejects.toThrow("longer than 4 MB");
});

it("a small reply is passed on unchanged", async () => {
  const headers = { "retry-after": "3", "content-encoding": "gzip" };
  const fetch = async (): Promise<Response> => new Response("hello", { status: 429, headers });
  const reply = await guardedFetch(fetch)("http://127.0.0.1/");
  expect(await reply.text()).toBe("hello");
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(reply.headers.get("content-encoding")).toBeNull();
});
