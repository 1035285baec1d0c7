import { reviewTermsOf, whyFrozen } from "../../kernel/index.ts";
import type { Launch, SimulationRunner } from "../../run/index.ts";
import { type Clock, decodeEvent, type JournalRow, runEventBody } from "../../world/index.ts";
import { type Output, oneLine } from "../core/output.ts";

/** The model faults that the user must correct, with advice for each fault. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ["connection", "check that the server runs and that base_url is right"],
  ["unauthorized", "check the API key and that it may use this model"],
  ["bad_request", "check the name of the model and that the model supports the request"],
  ["bad_reply", "check that base_url is the address of the provider's API"],
  ["reply_cut_off", "or set reasoning, which then has its own tokens"],
  ["context_overflow", "or choose a model with a larger context window"],
  ["no_credit", "your account at the provider has no credit left; add credit there"],
]);

const TIME_STOPS = ". Virtual time does not pass during retries; press Ctrl-C to stop the run";

const MESSAGE_CHARS_MAX = 300;

/**
 * Prints warnings, model faults, actions for which the run waits, and agents that can never act.
 * None of these stops the run. Returns a function that ends the printing.
 */
export const printWarnings = (
  output: Output,
  { runner, directory: { runId } }: Launch,
): (() => void) => {
  const reportFault = faultReporter(output, runner.clock.kind);
  return runner.follow((rows) => {
    for (const row of rows) {
      if (row.kind === "warning_raised")
        output.note(`warning: ${lineOf(runEventBody(row.body).text)}`);
      else if (row.kind === "thought_failed") reportFault(row);
      else if (row.kind === "agent_frozen") reportFreeze(row, { output, runner, runId });
      else if (row.kind === "action_proposed") reportProposal(row, { output, runner, runId });
    }
  });
};

const lineOf = (text: unknown): string => oneLine(String(text)).slice(0, MESSAGE_CHARS_MAX);

/** Reports an action that waits for a person, unless a default decides about it. */
const reportProposal = (row: JournalRow, { output, runner, runId }: Reported): void => {
  const event = decodeEvent(row);
  if (event.kind !== "action_proposed" || event.principal === null) return;
  const { principal, cost } = event;
  if (reviewTermsOf(runner.world.state, principal).review_default !== "wait") return;
  const action = `an action of ${principal}, of up to ${cost} scrip, waits for a review`;
  output.note(`note: ${action}; \`sim review ${runId} list\` shows it`);
};

type Reported = {
  readonly output: Output;
  readonly runner: SimulationRunner;
  readonly runId: string;
};

/** Reports an agent that never had enough budget for a thought, or whose quota is too small. */
const reportFreeze = (row: JournalRow, { output, runner }: Reported): void => {
  const event = decodeEvent(row);
  if (event.kind !== "agent_frozen" || event.principal === null) return;
  const { principal, at_ms, lacks } = event;
  const { spentMicros = 0 } = runner.world.state.agents.get(principal)?.counters ?? {};
  if (lacks === "llm_budget" && spentMicros > 0) return;
  const cannot = lacks === "llm_budget" ? "think" : "act";
  output.note(`warning: ${principal} cannot ${cannot} at ${at_ms / 1000} s: ${whyFrozen(event)}`);
};

/** Returns a function that reports each fault in `FIXES` only once, because faults often repeat. */
const faultReporter = (output: Output, clock: Clock["kind"]): ((row: JournalRow) => void) => {
  const reported = new Set<string>();
  return (row) => {
    const event = decodeEvent(row);
    if (event.kind !== "thought_failed") return;
    const { at_ms, principal, fault = "", message } = event;
    const fix = FIXES.get(fault);
    if (fix === undefined || reported.has(fault)) return;
    reported.add(fault);
    const who = `${principal} could not think at ${at_ms / 1000} s`;
    const wait = clock === "virtual" && fault === "connection" ? TIME_STOPS : "";
    output.note(`warning: ${who}: ${lineOf(message)}; ${fix}${wait}`);
  };
};
