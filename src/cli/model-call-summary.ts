import type { EconomyReport } from "../observe/index.ts";
import type { Output } from "./output.ts";

type Report = NonNullable<EconomyReport["model_calls"]>;
type Line = Report["by_agent"][number] | Report["by_purpose"][number] | Report["by_model"][number];

/** What the calls of language models have used: in one line, and split in a table. */
export const sayModelCalls = (output: Output, report: Report): void => {
  const { calls, failures, input_tokens, cached_input_tokens, output_tokens } = report;
  const tokens = `${input_tokens} tokens in (${cached_input_tokens} cached), ${output_tokens} out`;
  const money = `${report.cost_usd.toFixed(4)} USD`;
  const faults = report.by_fault.map(({ fault, calls: failed }) => `${fault} ${failed}`).join(", ");
  const failed = faults === "" ? `${failures} failed` : `${failures} failed: ${faults}`;
  output.line(`models    ${calls} calls (${failed}), ${tokens}, ${money}`);
  if (report.unpriced > 0) output.line(`          ${assumedPrices(report)}`);
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

const NAMES_SHOWN = 5;

/** How much was counted at a price that stands in, and for which models. */
const assumedPrices = (report: Report): string => {
  const names = unpricedModels(report);
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  const shown = `${names.slice(0, NAMES_SHOWN).join(", ")}${more}`;
  return `${report.unpriced} calls at llm.default_pricing because no price is known of ${shown}`;
};

/** The models for which the default price stands in. */
export const unpricedModels = ({ by_model }: Report): readonly string[] =>
  by_model.filter(({ unpriced }) => unpriced > 0).map(({ model }) => model);
