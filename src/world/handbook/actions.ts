import {
  ACTION_KINDS,
  ACTIONS,
  type ActionField,
  type ActionKind,
  fieldsOf,
  INTERFACE_KEYS,
  type JsonObject,
  METHOD_KEYS,
} from "../../kernel/index.ts";
import type { Setting } from "./page.ts";
import { CAST, linesOf, possibleLines, type Story } from "./transcript.ts";

const KINDS = `An action is one of: ${ACTION_KINDS.join(", ")}.
To do anything else, invoke an artifact.`;

const guideTo = (kind: ActionKind): string => {
  const { about, example } = ACTIONS[kind];
  const others = fieldsOf(kind).filter(({ name }) => !(name in example));
  const names = others.map(({ name }) => name).join(", ");
  const more = names === "" ? "" : `\n  Other fields: ${names}.`;
  return `- ${JSON.stringify({ [kind]: example })}: ${about}.${more}`;
};

/** The part of each prompt that shows the actions. Short, because agents pay for it each time. */
export const actionsGuide = (): string => `# What you can do
${KINDS}
${ACTION_KINDS.map(guideTo).join("\n")}
In an interface, input_schema has one property per argument, in the order of the arguments. Agents
choose programs by their interface, and the mint runs its examples: each result must be right.
Attached scrip and artifacts go to the callee in the same transaction and come back if the call
fails. max_price limits the price plus the cost of an access contract; if they are higher, the
action is refused. A refusal has a code and a message that says how to fix the action.
handbook_actions explains every field, handbook_refusals every code.
`;

/** Explains a field at the first action that has it. Later actions only name it. */
const linesAbout = (kind: ActionKind, at: number): string => {
  const earlier = ACTION_KINDS.slice(0, at);
  const isKnown = ({ of }: ActionField): boolean => earlier.some((other) => of.includes(other));
  const known = fieldsOf(kind).filter(isKnown);
  const lines = fieldsOf(kind).filter((field) => !isKnown(field));
  const again =
    known.length === 0 ? "" : `- ${known.map(({ name }) => name).join(", ")}: as above.\n`;
  return `## ${kind}: ${ACTIONS[kind].about}\n${lines.map(fieldLine).join("")}${again}`;
};

const fieldLine = ({ name, about, rule }: ActionField): string =>
  `- ${name}: ${about}; ${rule.replace("is not an id: ", "")}.\n`;

const keysOf = (keys: { readonly [key: string]: string }): string =>
  Object.entries(keys)
    .map(([key, about]) => `${key} (${about})`)
    .join(", ");

const example = (kind: ActionKind): JsonObject => ({ [kind]: ACTIONS[kind].example });

const JAR: JsonObject = {
  artifact_id: "my_jar",
  code: "function put() { return attached }",
  has_standing: true,
  access: "genesis_contract_freeware",
  access_locked: true,
};

const NOTE: JsonObject = {
  artifact_id: "my_note",
  artifact_type: "data",
  content: "Doubling costs 2.",
  read_price: 1,
  metadata: { topic: "prices" },
  depends_on: ["my_doubler"],
  max_price: 0,
};

const PUT: JsonObject = {
  artifact_id: "my_jar",
  method: "put",
  attach: { scrip: 3, artifacts: ["bobs_note"] },
};

const SALE: Story = [
  {
    by: "alice",
    action: example("write_artifact"),
    gives: { artifact_id: "my_doubler", version: 1, size_bytes: 296, owner: "alice" },
  },
  { by: "bob", action: example("invoke_artifact"), gives: 42 },
  { by: "alice", action: { write_artifact: NOTE } },
  {
    by: "bob",
    action: { read_artifact: { artifact_id: "my_note", max_price: 0 } },
    refused: "price_exceeded",
  },
  { by: "bob", action: { read_artifact: { artifact_id: "my_note", max_price: 1 } } },
  { by: "carol", action: example("noop") },
];

/** The jar needs disk for what it gets. */
const GIFT: Story = [
  { by: "alice", action: { write_artifact: JAR } },
  {
    by: "alice",
    action: {
      invoke_artifact: {
        artifact_id: "genesis_rights_registry",
        method: "transfer_quota",
        args: ["my_jar", "disk", 1_000],
      },
    },
  },
  { by: "bob", action: { write_artifact: { artifact_id: "bobs_note", content: "Hello." } } },
  { by: "bob", action: { invoke_artifact: PUT }, gives: { scrip: 3, artifacts: ["bobs_note"] } },
];

/** Every field of every action, and examples with each of them. */
export const actionsPage = (
  setting: Setting,
): string => `# What you can do: every field of every action
${KINDS}
If the action in your reply has any other field, the action is not executed, and you are told the
name of this field. Write your reasons next to the action.
${ACTION_KINDS.map(linesAbout).join("")}## interface
Keys: ${keysOf(INTERFACE_KEYS)}.
Keys of each method: ${keysOf(METHOD_KEYS)}.
A call is refused if its arguments do not fit input_schema.
## To sell a program, write it with a price and an interface
${CAST}
${linesOf(SALE)}${possibleLines(setting, GIFT)}`;
