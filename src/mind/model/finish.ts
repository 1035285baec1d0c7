import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { cutText, isObject } from "../../kernel/index.ts";
import { readErrorBody } from "./error-body.ts";
import { type Fault, final, passing } from "./failure.ts";
import { faultOfBody } from "./fault.ts";

/** How a call ended that the SDK did not throw for. */
export type Finish = {
  /** In the SDK's words and in the provider's own. */
  readonly reason: LanguageModelV4FinishReason;
  readonly text: string;
  /** The reply as it came over the wire. */
  readonly body: unknown;
  /** Whether JSON was asked for. */
  readonly formed: boolean;
};

/**
 * The fault in a reply that came without an error, or null for an answer. An answer is one that
 * stopped by itself and has text. Text that was cut off counts where any text will do, or where the
 * JSON in it is whole all the same.
 */
export const faultOfFinish = async (finish: Finish): Promise<Fault | null> => {
  const { reason, text, formed } = finish;
  const word = wordOf(reason);
  switch (reason.unified) {
    case "stop":
      if (isObject(finish.body) && finish.body.status === "failed") return faultOfOther(finish);
      return text.trim() === "" ? passing("empty", "the model answered nothing") : null;
    case "length":
      if (text.trim() !== "" && (!formed || holdsWholeObject(text))) return null;
      return final("cut_off", `the reply reached the most tokens that it may have (${word})`);
    case "content-filter":
      return final("refused", `the model or its provider refused to answer (${word})`);
    case "tool-calls":
      return passing("bad_reply", "the model called a tool where there is none");
    default:
      return faultOfOther(finish);
  }
};

/** No word for an end is longer. */
const WORD_CHARS_MAX = 30;

const wordOf = ({ raw, unified }: LanguageModelV4FinishReason): string =>
  cutText(raw ?? unified, WORD_CHARS_MAX);

const faultOfOther = async ({ body, reason }: Finish): Promise<Fault> => {
  const error = await readErrorBody(body);
  if (error !== null) return faultOfBody(error);
  return passing("provider_error", `the reply ended with "${wordOf(reason)}"`);
};

/** Whether the first object that begins in the text also ends in it. */
const holdsWholeObject = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let at = text.indexOf("{"); at >= 0 && at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{") depth += 1;
    else if (letter === "}") depth -= 1;
    if (depth === 0) return true;
  }
  return false;
};
