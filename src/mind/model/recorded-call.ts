import { hash } from "node:crypto";
import type { ModelReply, ModelRequest } from "./model.ts";

/** A request as plain data: its form stands there by name. */
export type RecordedRequest = Omit<ModelRequest, "form" | "durable" | "heard"> & {
  readonly form: string | null;
};

/** One call from question to answer, with all that was tried for it. */
export type RecordedCall = {
  /** SHA-256 of the request, in hex: equal requests have equal keys. */
  readonly key: string;
  readonly request: RecordedRequest;
  /** With usage and latency. */
  readonly reply: ModelReply;
  readonly costMicros: number;
  /** False where the model has no price of its own and the default price stands in. */
  readonly priced: boolean;
  /** Run time at which the reply was there, in ms. */
  readonly atMs: number;
};

export const recordedRequest = (request: ModelRequest): RecordedRequest => {
  const { model, purpose, agent, system, prompt, form, temperature, maxTokens } = request;
  const name = form?.name ?? null;
  return { model, purpose, agent, system, prompt, form: name, temperature, maxTokens };
};

export const requestKey = (request: RecordedRequest): string => {
  const { model, purpose, agent, system, form, temperature, maxTokens } = request;
  const rest = JSON.stringify([model, purpose, agent, form, temperature, maxTokens]);
  const whole = `${rest.slice(0, -1)},${promptJson(request)}]`;
  return hash("sha256", `${digestOf(system)} ${whole}`);
};

/** The prompt is the longest part of a request, and is wanted for its key and for its record. */
const promptJsons = new WeakMap<RecordedRequest, string>();

/** The prompt of a request as JSON. */
export const promptJson = (request: RecordedRequest): string => {
  const known = promptJsons.get(request);
  if (known !== undefined) return known;
  const json = JSON.stringify(request.prompt);
  promptJsons.set(request, json);
  return json;
};

/** Few texts stand at the beginning of many requests. */
const DIGESTS_MAX = 5_000;
const digests = new Map<string, string>();

const digestOf = (text: string): string => {
  const known = digests.get(text);
  if (known !== undefined) return known;
  if (digests.size >= DIGESTS_MAX) digests.clear();
  const digest = hash("sha256", text);
  digests.set(text, digest);
  return digest;
};
