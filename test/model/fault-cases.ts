import type { ModelFault } from "../../src/model/port/model.ts";
import type { Answer } from "../support/model-server/answer.ts";
import { faults } from "../support/model-server/faults.ts";
import type { Provider } from "../support/model-server/model-server.ts";

/** `but`: the faults of providers that differ. */
type Case = readonly [
  name: string,
  answer: Answer,
  fault: ModelFault,
  but?: Partial<Record<Provider, ModelFault>>,
];

const JSON_TEXT = '{"kind": "none"}';
const OVERLOAD = faults.errorIn200("Slow down", "rate_limit_exceeded");
const BAD_KEY = faults.errorIn200("Incorrect API key provided", "invalid_api_key");
const BREAKDOWN = faults.errorIn200("The model broke down", "server_error");
const CUT_JSON = '{"kind": "plain", "words": "a } b';

/** Every answer of a provider that is a failure, for a request with a form. */
export const FAULT_CASES: readonly Case[] = [
  ["401", faults.unauthorized(), "unauthorized"],
  ["402", faults.noCredit(), "no_credit"],
  ["403", faults.forbidden(), "unauthorized"],
  ["404", faults.notFound(), "bad_request"],
  ["408", faults.requestTimeout(), "timeout"],
  ["409", faults.conflict(), "provider_error"],
  ["425", faults.tooEarly(), "provider_error"],
  ["429", faults.rateLimited(), "rate_limited"],
  ["500", faults.serverError(), "provider_error"],
  ["502", faults.badGateway(), "provider_error"],
  ["503", faults.unavailable(), "provider_error"],
  ["529", faults.overloaded(), "provider_error"],
  ["an HTML page of a gateway", faults.htmlError(), "provider_error"],
  ["no quota", faults.insufficientQuota(), "no_credit"],
  ["no credit as 400", faults.lowBalance400(), "no_credit"],
  ["a bad key as 400", faults.badKey400(), "unauthorized"],
  ["a prompt that is too long", faults.contextTooLong(), "context_overflow"],
  ["a reset", faults.reset(), "connection"],
  ["a reset within the body", faults.resetMidBody(), "connection"],
  ["a reply that is not HTTP", faults.notHttp(), "bad_reply"],
  ["a reply that cannot be decompressed", faults.brokenGzip(), "bad_reply"],
  ["an HTML page with 200", faults.html(), "bad_reply"],
  ["invalid JSON", faults.invalidJson(), "bad_reply"],
  ["truncated JSON", faults.truncatedJson(), "bad_reply"],
  ["an empty body", faults.emptyBody(), "bad_reply"],
  ["other JSON", faults.otherJson(), "bad_reply", { google: "provider_error" }],
  [
    "a reply without an answer",
    faults.noAnswer(),
    "empty",
    { google: "provider_error", "openai-compatible": "bad_reply" },
  ],
  ["an error with 200", BREAKDOWN, "provider_error"],
  ["an overload with 200", OVERLOAD, "rate_limited", { google: "provider_error" }],
  ["a bad key with 200", BAD_KEY, "unauthorized", { google: "provider_error" }],
  ["a refusal", faults.refusal(), "refused"],
  ["a filtered reply", { text: "", ending: "filter" }, "refused"],
  ["a token limit used up by reasoning", { text: "", ending: "length" }, "reply_cut_off"],
  ["JSON that was cut off", { text: CUT_JSON, ending: "length" }, "reply_cut_off"],
  ["the finish reason error", { text: JSON_TEXT, ending: "error" }, "provider_error"],
  ["an unknown finish reason", { text: JSON_TEXT, ending: "unknown" }, "provider_error"],
  ["an empty answer", { text: "" }, "empty"],
  ["white space", { text: " \n " }, "empty"],
  ["token counts as text", { text: JSON_TEXT, usage: "strings" }, "bad_reply"],
];
