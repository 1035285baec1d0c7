import {
  conversationTurns,
  type Segment,
  type TurnResult,
  turnLine,
} from "../../coding-agents/index.ts";
import { counted, shortened } from "../../text/index.ts";
import { type Output, oneLine } from "../output/output.ts";

const INPUT_CHARS_SHOWN = 300;

/** Prints what an agent does, as it does it. Texts are whole, and the work with tools is cut. */
export const showSegment = (output: Output, segment: Segment): void => {
  if (segment.kind === "text") output.block(segment.text);
  else if (segment.kind === "unknown") showUnknown(output, segment);
  else {
    const whole = conversationTurns([segment]).map((turn) => turnLine(turn));
    const isWhole = segment.kind === "thinking";
    for (const line of whole) output.block(isWhole ? line : shortened(line, INPUT_CHARS_SHOWN));
  }
};

/** Of parts that no one knows, only problems are for people. */
const showUnknown = (output: Output, segment: Extract<Segment, { kind: "unknown" }>): void => {
  const { type, text } = segment;
  if (type === "error" || type === "long_line") output.note(`note: ${shortened(text, 300)}`);
};

/** One line about a turn that has ended, such as `ada completed its task (12.3 s, 3 calls)`. */
export const endLine = (actor: string, result: TurnResult): string => {
  const { success, error, stderr, usage, attempts } = result;
  const what = success ? "completed its task" : `did not complete its task: ${error}`;
  const said = stderr === "" ? "" : `; it printed: ${oneLine(stderr)}`;
  const again =
    attempts.length > 1
      ? "; the try that continued its session failed, so a second one started without it"
      : "";
  return `${actor} ${what}${again} (${usageText(usage, result.duration_ms)})${said}`;
};

const usageText = (usage: TurnResult["usage"], durationMs: number): string => {
  const { calls, input_tokens, output_tokens, cost_micros } = usage;
  const tokens = `${input_tokens} input and ${output_tokens} output tokens`;
  return [
    `${(durationMs / 1_000).toFixed(1)} s`,
    counted(calls, "call"),
    ...(input_tokens + output_tokens === 0 ? [] : [tokens]),
    ...(cost_micros === null ? [] : [`${(cost_micros / 1_000_000).toFixed(4)} USD`]),
  ].join(", ");
};
