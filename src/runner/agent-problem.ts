import { agentConfigSchema, readAgentConfig } from "../mind/index.ts";
import { JsonCensus } from "../world/index.ts";
import { findingsOf } from "./config/index.ts";

/** Scripts are read by functions that call themselves: deeper ones would end the process. */
const DEPTH_MAX = 64;

/** What the world asks before it lets an agent's artifact be written. */
export const agentProblem = (content: string): string | null => {
  if (nestingOf(content) > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
  const read = readAgentConfig(content);
  if (read.ok) return null;
  if (read.error === null) return 'it is not JSON, such as {"mind":"policy/explorer"}';
  const found = findingsOf(read.error, { schema: agentConfigSchema, value: read.given });
  const said = found.slice(0, SHOWN_MAX).map(({ message, hint }) => {
    return hint === null ? message : `${message}; ${hint}`;
  });
  const more = found.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};

/** What is wrong is told so far, and how much more there is. */
const SHOWN_MAX = 3;

/** Of text that is no JSON, some number. */
const nestingOf = (text: string): number => {
  const census = new JsonCensus();
  census.take(Buffer.from(text));
  return census.found.deepest;
};
