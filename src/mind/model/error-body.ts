import { parsePartialJson } from "ai";
import { isObject } from "../../kernel/index.ts";

/** What a provider said was wrong, whatever its own form for that. */
export type ErrorBody = {
  readonly message: string;
  /** Its codes, types and states in one line, for looking words up. */
  readonly words: string;
  /** An HTTP status, where the body names one. */
  readonly status: number | null;
  /** Google's RetryInfo. */
  readonly retryAfterMs: number | null;
};

/** Reads the body of a reply as an error; null where it is none. Text is parsed first. */
export const readErrorBody = async (body: unknown): Promise<ErrorBody | null> => {
  if (typeof body !== "string") return errorIn(body);
  const { value, state } = await parsePartialJson(body);
  return state === "successful-parse" ? errorIn(value) : null;
};

/** A list of one error is what Google sends where a stream was meant. */
const errorIn = (body: unknown): ErrorBody | null => {
  const holder = Array.isArray(body) ? body[0] : body;
  if (!isObject(holder)) return null;
  const { error } = holder;
  if (typeof error === "string") {
    return { message: error, words: error, status: null, retryAfterMs: null };
  }
  if (!isObject(error)) return null;
  const { message, type, code, status, details } = error;
  const named = [type, code, status].filter((each) => typeof each === "string").join(" ");
  const said = typeof message === "string" ? message : named;
  const reasons = Array.isArray(details) ? details.map(reasonOf).join(" ") : "";
  return {
    message: said === "" ? "an error without a message" : said,
    words: `${named} ${reasons}`,
    status: [code, status].find(isStatus) ?? null,
    retryAfterMs: Array.isArray(details) ? retryDelayIn(details) : null,
  };
};

const isStatus = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599;

const reasonOf = (detail: unknown): string =>
  isObject(detail) && typeof detail.reason === "string" ? detail.reason : "";

const retryDelayIn = (details: readonly unknown[]): number | null => {
  for (const detail of details) {
    if (!isObject(detail) || typeof detail.retryDelay !== "string") continue;
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(detail.retryDelay)?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return null;
};
