import type { EconomyReport } from "../observe/index.ts";
import type { Output } from "./output.ts";

type Report = NonNullable<EconomyReport["model_calls"]>;
type Line = Report["by_agent"][number] | Report["by_purpose"][number] | Report["by_model"][number];

/** What the calls of language models have used: in one line, and split in a table. */
export const sayModelCalls = (output: Output, report: Report): void => {
  const { calls, failures, input_tokens, cached_input_tokens, output_tokens } = report;
  const tokens = `${input_tokens} tokens in (${cached_input_tokens} cached), ${output_tokens} out`;
  const money = `${report.cost_usd.toFixed(4)} USD`;
  output.line(`models    ${calls} calls (${failures} failed), ${tokens}, ${money}`);
  if (report.unpriced > 0) {
    output.line(`          ${report.unpriced} calls at llm.default_pricing: no price is known`);
  }
  if (report.estimated > 0) {
    output.line(`          ${report.estimated} calls with tokens that are a guess`);
  }
  output.line("");
  output.table(
    ["calls", "of", "number", "failed", "tokens in", "cached", "tokens out", "USD"],
    [
      ...report.by_agent.map((line) => cells("by", line.agent ?? "the run itself", line)),
      ...report.by_purpose.map((line) => cells("for", line.purpose, line)),
      ...report.by_model.map((line) => cells("to", line.model, line)),
    ],
  );
  output.line("");
};

const cells = (word: string, name: string, line: Line): readonly string[] => [
  word,
  name,
  String(line.calls),
  String(line.failures),
  String(line.input_tokens),
  String(line.cached_input_tokens),
  String(line.output_tokens),
  line.cost_usd.toFixed(4),
];
