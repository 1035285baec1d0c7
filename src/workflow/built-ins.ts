import { namesIn } from "../mind/index.ts";

/**
 * A `text` or a `value` may contain `{variables}`. A `value` that is only one `{variable}` has the
 * type of the variable. An `output` names the output of an earlier step.
 */
type ParameterKind = "text" | "value" | "output" | "name" | "number";
export type Parameter = {
  readonly kind: ParameterKind;
  readonly required: boolean;
  readonly says: string;
};

type Given = { readonly name: string; readonly foreign: boolean; readonly says: string };

export type BuiltIn = {
  readonly says: string;
  readonly takes: { readonly [parameter: string]: Parameter };
  readonly gives: readonly Given[];
};

const own = (name: string, says: string): Given => ({ name, foreign: false, says });
/** Declares a foreign variable: a value in working memory, which other agents may have written. */
const others = (name: string, says: string): Given => ({ name, foreign: true, says });
const maybe = (kind: ParameterKind, says: string): Parameter => ({ kind, required: false, says });
const must = (kind: ParameterKind, says: string): Parameter => ({ kind, required: true, says });

/** The functions that `run` can name, in the order of the documentation. */
export const BUILT_INS = {
  compute_metrics: {
    says: "computes how well the latest actions went",
    takes: {},
    gives: [
      own("stuck_in_loop", "whether the last three actions all failed and were of the same kind"),
      own("should_pivot", "whether `success_rate` is below 0.3 or `stuck_in_loop` is true"),
      own("can_create", "whether the balance is 10 or more"),
      own("should_explore", "whether the agent owns fewer than 3 artifacts"),
    ],
  },
  load_goals: {
    says: "reads the goals from working memory",
    takes: {},
    gives: [
      others("strategic_goal", "`current_goal` of working memory"),
      others("current_subgoal", "`progress.stage` of working memory"),
      own("actions_on_subgoal", "how many actions have succeeded since the subgoal was set"),
      own("iterations_on_subgoal", "how many iterations ago the subgoal was set"),
      own(
        "subgoal_stuck",
        "whether ten iterations had fewer than two successes, or the agent is stuck in a loop",
      ),
      own("should_review", "true in every tenth iteration, and when `subgoal_stuck` is true"),
      own("has_tools_to_use", "whether the market offers a program that can be called"),
    ],
  },
  update_goals: {
    says: "writes goals and progress back to working memory",
    takes: {
      strategic_goal: maybe("value", "a new goal; the old one stays by default"),
      current_subgoal: maybe("value", "a new subgoal, which starts without progress"),
      next_step: maybe("value", "what to do next"),
      lesson: maybe("value", "a lesson to add; the latest ten lessons are kept"),
    },
    gives: [],
  },
  execute_decision: {
    says: "makes an earlier decision the action of this step",
    takes: {
      decision: maybe(
        "output",
        "the name of the decision; by default the last decision of this iteration",
      ),
    },
    gives: [],
  },
  remember: {
    says: "puts a note into the agent's memory",
    takes: { text: must("text", "the note") },
    gives: [],
  },
  count: {
    says: "adds to a counter, which is kept for later iterations",
    takes: {
      counter: must("name", "the name of the counter, as in `{counters.NAME}`"),
      by: maybe("number", "how much to add; 1 by default"),
    },
    gives: [],
  },
} as const satisfies { readonly [name: string]: BuiltIn };

export type BuiltInName = keyof typeof BUILT_INS;
export const BUILT_IN_NAMES = namesIn(BUILT_INS);
