import { z } from "zod";
import type { OperatorCommand, OperatorOutcome, SimulationRunner } from "../../src/run/index.ts";

const proposed = z.looseObject({ proposal: z.number(), action: z.json(), cost: z.number() });

/** A proposal, as the journal has it. */
export type Proposed = z.infer<typeof proposed> & { readonly agent: string | null };

export type Answer = (proposal: Proposed) => OperatorCommand;

export const accepts: Answer = ({ proposal }) => ({ kind: "accept_proposal", proposal });
export const says =
  (text: string): Answer =>
  ({ proposal }) => ({ kind: "give_feedback", proposal, text });

/**
 * Reviews the proposals of a run with these answers, in order, and accepts all later ones. Returns
 * the outcomes, which are complete when the run has ended.
 */
export const review = (
  runner: SimulationRunner,
  answers: readonly Answer[],
): readonly OperatorOutcome[] => {
  const operator = runner.operate();
  const outcomes: OperatorOutcome[] = [];
  const seen: Proposed[] = [];
  runner.follow((rows) => {
    for (const { kind, principal: agent, body } of rows) {
      if (kind !== "action_proposed") continue;
      const proposal = { ...proposed.parse(JSON.parse(body)), agent };
      const answer = answers[seen.length] ?? accepts;
      seen.push(proposal);
      // A follower can hear of events before their transaction has ended.
      void Promise.resolve()
        .then(() => operator.execute(answer(proposal)))
        .then((outcome) => outcomes.push(outcome));
    }
  });
  return outcomes;
};
