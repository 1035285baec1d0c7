import {
  cliKind,
  isModulePath,
  type MindKind,
  type MindParts,
  moduleKind,
  scriptKind,
  seatKind,
} from "../../mind/index.ts";
import { policyKind } from "../../policy/kinds.ts";
import type { MindEvent } from "../../tools/index.ts";
import { codeKind, toolsKind } from "../../tools/kinds.ts";
import { llmKind, workflowKind } from "../../workflow/kinds.ts";

/** What a run gives to the kinds of its minds. */
export type RunMindParts = MindParts & {
  readonly onMindEvent: ((event: MindEvent) => void) | null;
  readonly note: (text: string) => void;
};

export type RunMindKind = MindKind<RunMindParts>;

/** The kinds of minds whose names stand in `mind`. A new kind must be in this list. */
const NAMED_KINDS: readonly RunMindKind[] = [
  policyKind,
  scriptKind,
  seatKind,
  cliKind,
  llmKind,
  workflowKind,
  toolsKind,
  codeKind,
];

export const KINDS: readonly RunMindKind[] = [...NAMED_KINDS, moduleKind];

/** The names that `mind` can have, in addition to the path of a module. */
export const MIND_NAMES = NAMED_KINDS.flatMap(({ names }) => names);

const BY_NAME = new Map(KINDS.flatMap((kind) => kind.names.map((name) => [name, kind] as const)));

/** The kind that a value of `mind` names, in `agent.yaml` or in an artifact. Null: none. */
export const kindOf = (mind: unknown): RunMindKind | null =>
  isModulePath(mind) ? moduleKind : (BY_NAME.get(String(mind)) ?? null);

/** Whether agents with this mind call language models. */
export const asksModels = (mind: string): boolean => kindOf(mind)?.cost === "models";

/** The kinds for which `is` is true, as in `tools, code or cli`. */
export const labelsOf = (is: (kind: RunMindKind) => boolean): string => {
  const labels = KINDS.filter(is).map(({ label }) => label);
  const last = labels.pop() ?? "";
  return labels.length === 0 ? last : `${labels.join(", ")} or ${last}`;
};
