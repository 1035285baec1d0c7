import { cognitiveSchemaKey, mindKind, mindSettingsOf, modelKeys } from "../mind/index.ts";
import { checkAnswers, workflowKey } from "./check-workflow.ts";

const keys = { ...modelKeys, cognitive_schema: cognitiveSchemaKey, workflow: workflowKey };

const common = {
  keys,
  cost: "models",
  // The author pays for llm steps without an effect.
  oddities: ({ workflow }) =>
    workflow === undefined
      ? []
      : checkAnswers(workflow).map((each) => ({ ...each, path: ["workflow", ...each.path] })),
  load: async () => {
    const { llmMind, previewOf } = await import("./llm-mind.ts");
    const { evaluatorIn } = await import("./evaluator.ts");
    const { llmTemplate } = await import("./new-persona.ts");
    return {
      open: ({ sandbox, physics, llm }) => {
        const parts = { ...llm, evaluator: evaluatorIn(sandbox, physics) };
        return {
          create: (own, config) => {
            const settings = mindSettingsOf(own, config, llm.defaults);
            return llmMind(own.id, { settings, workflow: config.workflow }, parts);
          },
        };
      },
      preview: ({ own, config }, { sandbox, physics, llm, warn }, moment) => {
        const settings = mindSettingsOf(own, config, llm.defaults);
        const parts = { ...llm, warn, evaluator: evaluatorIn(sandbox, physics) };
        return previewOf({ settings, workflow: config.workflow }, parts, moment);
      },
      template: llmTemplate,
    };
  },
} satisfies Omit<Parameters<typeof mindKind<typeof keys>>[0], "names" | "label">;

/** `mind: llm`: one question to a language model, or the steps of a workflow. */
export const llmKind = mindKind({ ...common, names: ["llm"], label: "llm" });

/** `mind: workflow`: the steps of a workflow, some of which ask a language model. */
export const workflowKind = mindKind({
  ...common,
  names: ["workflow"],
  label: "workflow",
  impliedBy: ["workflow"],
  check: ({ workflow }) =>
    workflow === undefined
      ? [{ path: ["mind"], message: "mind: workflow needs a workflow", hint: null }]
      : [],
});
