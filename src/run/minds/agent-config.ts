import { z } from "zod";
import { type Id, isObject, jsonIn, type State } from "../../kernel/index.ts";
import {
  addIssues,
  isModulePath,
  type MindConfig,
  type MindKeys,
  workingMemoryKey,
} from "../../mind/index.ts";
import { agentContents } from "./agent-contents.ts";
import { KINDS, kindOf, labelsOf, MIND_NAMES, type RunMindKind } from "./kinds.ts";

/** The keys of all kinds in `agent.yaml`. */
export const personaKeys: MindKeys = Object.assign({}, ...KINDS.map(({ keys }) => keys));

const storedKeys: MindKeys = Object.assign(
  { ...personaKeys },
  ...KINDS.map((kind) => kind.storedKeys ?? {}),
);

const keysOf = (kind: RunMindKind): MindKeys => ({ ...kind.keys, ...kind.storedKeys });

/** A value of `mind`. The message about any other value lists `forms`. */
const mindValue = (isRight: (given: unknown) => boolean, forms: readonly string[]) =>
  z.custom<string>().superRefine((given, context) => {
    if (!isRight(given)) addIssues(z.literal([...forms]), given, { context });
  });

const isName = (given: unknown): boolean => MIND_NAMES.some((name) => name === given);

/** The mind of a persona: a name, or the path of a module of the user. */
export const personaMind = mindValue(
  (given) => isModulePath(given) || isName(given),
  [...MIND_NAMES, "a module such as ./mind.ts"],
).describe(
  "how the agent decides: a name, or the path of a module such as ./mind.ts; " +
    "default: workflow with a workflow, script with a script, tools with tools or plugins, " +
    "else llm",
);

/** Adds an issue for each key that agents of this kind do not have, and for what else is wrong. */
export const checkKind = (config: MindConfig, context: z.core.$RefinementCtx): void => {
  const kind = kindOf(config.mind);
  // The schema of `mind` has already reported a name that is unknown.
  if (kind === null) return;
  const problem = (path: PropertyKey[], message: string, hint: string | null): void => {
    context.addIssue({ code: "custom", path, message, params: { hint } });
  };
  for (const key of Object.keys(storedKeys)) {
    if (config[key] === undefined || config[key] === null || key in keysOf(kind)) continue;
    const hasKey = (each: RunMindKind): boolean => key in keysOf(each);
    const example = KINDS.find(hasKey)?.names[0] ?? "";
    problem([key], `only mind: ${labelsOf(hasKey)} has ${key}`, `write \`mind: ${example}\``);
  }
  for (const key of Object.keys(kind.keys)) {
    const schema = kind.schemaOf?.(key, config.mind) ?? null;
    if (schema !== null) addIssues(schema, config[key] ?? {}, { context, before: [key] });
  }
  for (const { path, message, hint } of kind.check?.(config) ?? []) {
    problem([...path], message, hint);
  }
};

/** Adds the mind to a configuration or persona that names none. Its other keys decide. */
export const withImpliedMind = (given: unknown): unknown => {
  if (!isObject(given) || given.mind !== undefined) return given;
  const kind = KINDS.find(({ impliedBy = [] }) =>
    impliedBy.some((key) => given[key] !== undefined),
  );
  return { ...given, mind: kind?.names[0] ?? "llm" };
};

/** The configuration of an agent: the JSON in the agent's artifact. */
export const agentConfigSchema: z.ZodType<MindConfig> = z
  .strictObject({
    mind: mindValue((given) => kindOf(given) !== null && !isModulePath(given), MIND_NAMES),
    ...storedKeys,
    /** The working memory. The agent writes this field itself. */
    working_memory: z.json().optional(),
    /** The settings under `working_memory` in `agent.yaml`. */
    working_memory_settings: workingMemoryKey,
  })
  .superRefine(checkKind);

/** An agent as its artifact describes it. */
export type ReadAgent = { readonly config: MindConfig; readonly kind: RunMindKind };

type AgentRead =
  | ({ readonly ok: true } & ReadAgent)
  | { readonly ok: false; readonly given: unknown; readonly error: z.ZodError | null };

/** Parses the content of an agent's artifact. `error` is null if the text is not JSON. */
export const readAgent = (content: string): AgentRead => {
  const given = withImpliedMind(jsonIn(content));
  if (given === undefined) return { ok: false, given, error: null };
  const { data: config, error } = agentConfigSchema.safeParse(given);
  const kind = kindOf(config?.mind);
  return config === undefined || kind === null
    ? { ok: false, given, error: error ?? null }
    : { ok: true, config, kind };
};

/** Each agent that has not stopped or will join the world, if its configuration can be read. */
export const readableAgentsIn = (state: State): readonly (ReadAgent & { readonly id: Id })[] =>
  agentContents(state).flatMap(({ id, content }) => {
    const read = readAgent(content);
    return read.ok ? [{ id, config: read.config, kind: read.kind }] : [];
  });

/** The model that a configuration names, or null. */
export const modelIn = ({ llm_model: model }: MindConfig): string | null =>
  typeof model === "string" ? model : null;
