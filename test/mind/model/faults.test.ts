import { describe, expect, it } from "vitest";
import type { ModelFault } from "../../../src/mind/model/model.ts";
import type { Answer } from "../../support/model-server/answer.ts";
import { faults } from "../../support/model-server/faults.ts";
import type { Provider } from "../../support/model-server/model-server.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { MODEL, PROVIDERS, served, speaking } from "./speaking.ts";

type Verdict = readonly [fault: ModelFault, retriable: boolean];

type Case = {
  readonly name: string;
  readonly answer: Answer;
  readonly verdict: Verdict;
  /** Where providers differ. */
  readonly but?: Partial<Record<Provider, Verdict | "answer">>;
};

const CASES: readonly Case[] = [
  { name: "401", answer: faults.unauthorized(), verdict: ["unauthorized", false] },
  { name: "402", answer: faults.noCredit(), verdict: ["no_credit", false] },
  { name: "403", answer: faults.forbidden(), verdict: ["unauthorized", false] },
  { name: "404", answer: faults.notFound(), verdict: ["bad_request", false] },
  { name: "408", answer: faults.requestTimeout(), verdict: ["timeout", true] },
  { name: "409", answer: faults.conflict(), verdict: ["provider_error", true] },
  { name: "425", answer: faults.tooEarly(), verdict: ["provider_error", true] },
  { name: "429", answer: faults.rateLimited(), verdict: ["rate_limited", true] },
  { name: "500", answer: faults.serverError(), verdict: ["provider_error", true] },
  { name: "502", answer: faults.badGateway(), verdict: ["provider_error", true] },
  { name: "503", answer: faults.unavailable(), verdict: ["provider_error", true] },
  { name: "529", answer: faults.overloaded(), verdict: ["provider_error", true] },
  { name: "a gateway's page", answer: faults.htmlError(), verdict: ["provider_error", true] },
  { name: "no quota left", answer: faults.insufficientQuota(), verdict: ["no_credit", false] },
  { name: "a purse told as 400", answer: faults.lowBalance400(), verdict: ["no_credit", false] },
  { name: "a key told as 400", answer: faults.badKey400(), verdict: ["unauthorized", false] },
  { name: "too long a prompt", answer: faults.contextTooLong(), verdict: ["bad_request", false] },
  { name: "a reset", answer: faults.reset(), verdict: ["connection", true] },
  { name: "a reset in mid-body", answer: faults.resetMidBody(), verdict: ["connection", true] },
  { name: "a page with 200", answer: faults.html(), verdict: ["bad_reply", true] },
  { name: "invalid JSON", answer: faults.invalidJson(), verdict: ["bad_reply", true] },
  { name: "truncated JSON", answer: faults.truncatedJson(), verdict: ["bad_reply", true] },
  { name: "an empty body", answer: faults.emptyBody(), verdict: ["bad_reply", true] },
  {
    name: "other JSON",
    answer: faults.otherJson(),
    verdict: ["bad_reply", true],
    but: { google: ["provider_error", true] },
  },
  {
    name: "no answer in the reply",
    answer: faults.noAnswer(),
    verdict: ["empty", true],
    but: { google: ["provider_error", true], "openai-compatible": ["bad_reply", true] },
  },
  {
    name: "an error with 200",
    answer: faults.errorIn200("The model broke down", "server_error"),
    verdict: ["provider_error", true],
  },
  {
    name: "an overload with 200",
    answer: faults.errorIn200("Slow down", "rate_limit_exceeded"),
    verdict: ["rate_limited", true],
    but: { google: ["provider_error", true] },
  },
  {
    name: "a bad key with 200",
    answer: faults.errorIn200("Incorrect API key provided", "invalid_api_key"),
    verdict: ["unauthorized", false],
    but: { google: ["provider_error", true] },
  },
  { name: "a refusal", answer: faults.refusal(), verdict: ["refused", false] },
  {
    name: "a reply held back by a filter",
    answer: { text: "", ending: "filter" },
    verdict: ["refused", false],
  },
  {
    name: "a length used up by thinking",
    answer: { text: "", ending: "length" },
    verdict: ["cut_off", false],
  },
  {
    name: "JSON that was cut off",
    answer: { text: '{"kind": "plain", "words": "a } b', ending: "length" },
    verdict: ["cut_off", false],
  },
  {
    name: "an end in error",
    answer: { text: '{"kind": "none"}', ending: "error" },
    verdict: ["provider_error", true],
  },
  {
    name: "an end that nobody knows",
    answer: { text: '{"kind": "none"}', ending: "unknown" },
    verdict: ["provider_error", true],
  },
  { name: "nothing said", answer: { text: "" }, verdict: ["empty", true] },
  { name: "white space", answer: { text: " \n " }, verdict: ["empty", true] },
  {
    name: "counts written as text",
    answer: { text: '{"kind": "none"}', usage: "strings" },
    verdict: ["bad_reply", true],
  },
];

describe.each(PROVIDERS)("what %s does wrong becomes a value", (provider) => {
  it.each(CASES)("$name", async ({ answer, verdict, but }) => {
    const server = await served(() => answer);
    const model = speaking({ provider, server });
    const reply = await model.ask(request({ model: MODEL[provider], form: GREETING }), NEVER);
    const [fault, retriable] = but?.[provider] ?? verdict;
    expect(reply).toMatchObject({ ok: false, fault, retriable, servedBy: MODEL[provider] });
    expect(server.calls).toHaveLength(1);
  });

  it("a port where nobody listens", async () => {
    const server = await served(() => undefined);
    await server.close();
    const model = speaking({ provider, server });
    const reply = await model.ask(request({ model: MODEL[provider] }), NEVER);
    expect(reply).toMatchObject({
      ok: false,
      fault: "connection",
      retriable: true,
      message: "cannot connect (ECONNREFUSED)",
    });
  });

  it("a port that may not be called", async () => {
    const baseUrl = (): string => "http://127.0.0.1:1/v1";
    const model = speaking({ provider, server: { baseUrl } });
    const reply = await model.ask(request({ model: MODEL[provider] }), NEVER);
    expect(reply).toMatchObject({ ok: false, fault: "bad_request", retriable: false });
  });
});

const WAITS: readonly (readonly [says: string, Answer, retryAfterMs: number | null])[] = [
  ["nothing", faults.rateLimited(), null],
  ["seconds", faults.rateLimited("7"), 7_000],
  ["more than a minute", faults.rateLimited("120"), 120_000],
  ["milliseconds", faults.rateLimitedMs(1_500), 1_500],
  ["no sense", faults.rateLimited("soon"), null],
  ["a time past", faults.rateLimited("Wed, 21 Oct 2015 07:28:00 GMT"), 0],
  ["a year", faults.rateLimited("31536000"), 86_400_000],
  ["with a 503", { status: 503, headers: { "retry-after": "3" } }, 3_000],
];

describe.each(PROVIDERS)("how long %s wants to be left alone is read", (provider) => {
  it.each(WAITS)("%s", async (_says, answer, retryAfterMs) => {
    const server = await served(() => answer);
    const reply = await speaking({ provider, server }).ask(
      request({ model: MODEL[provider] }),
      NEVER,
    );
    expect(reply).toMatchObject({ ok: false, retriable: true, retryAfterMs });
  });

  it("a date, by the clock of the provider", async () => {
    const headers = {
      date: "Wed, 21 Oct 2015 07:28:00 GMT",
      "retry-after": "Wed, 21 Oct 2015 07:28:45 GMT",
    };
    const server = await served(() => ({ status: 429, headers }));
    const reply = await speaking({ provider, server }).ask(
      request({ model: MODEL[provider] }),
      NEVER,
    );
    expect(reply).toMatchObject({ retryAfterMs: 45_000 });
  });
});

it("Google tells in the body how long to wait", async () => {
  const server = await served(() => faults.rateLimitedWithRetryInfo("37.5s"));
  const reply = await speaking({ provider: "google", server }).ask(
    request({ model: MODEL.google }),
    NEVER,
  );
  expect(reply).toMatchObject({ fault: "rate_limited", retriable: true, retryAfterMs: 37_500 });
});

it("the Responses API fails with status 200 and no error beside the text", async () => {
  const server = await served(() => ({ text: "half", ending: "error" }));
  const reply = await speaking({ provider: "openai", server }).ask(
    request({ model: MODEL.openai }),
    NEVER,
  );
  expect(reply).toMatchObject({ fault: "provider_error", retriable: true });
});
