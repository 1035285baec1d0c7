import { ACTION_KINDS, REFUSAL_CODES } from "../../kernel/index.ts";

export const actions = (): string => `# What you can do
An action is one of: ${ACTION_KINDS.join(", ")}.
Everything else is an invocation of some artifact.
- noop: {"noop": {}}
- read: {"read_artifact": {"artifact_id": "x", "max_price": 5}}
- write: {"write_artifact": {"artifact_id": "x", "artifact_type": "program", "content": "...",
  "code": "function run(a) { return a }", "price": 5, "interface": {...}}}
  Other fields: read_price, access, access_locked, depends_on, metadata, has_standing, max_price.
  A write that updates keeps every field it does not name.
- invoke: {"invoke_artifact": {"artifact_id": "x", "method": "run", "args": [1],
  "attach": {"scrip": 3}, "max_price": 5}}
  What is attached goes to the callee in the same transaction and comes back if the call fails.
max_price bounds the price and what an access contract asks on top; above it the action is refused.
Refusals have a code, and a message that says what would have been right:
${REFUSAL_CODES.join(", ")}.
`;
