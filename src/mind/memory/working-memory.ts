import { isObject, jsonIn } from "../../kernel/index.ts";
import { parsedYaml } from "../parsed-yaml.ts";

/** Beyond this a text is not parsed: what an agent writes must not cost everybody time. */
const PARSED_UNITS_MAX = 50_000;

/**
 * What stands in an agent's working memory: `working_memory` in the content of its own artifact,
 * else the content of its artifact `<id>_working_memory`, which may be JSON, YAML or plain text.
 * Null where there is none. Both texts are what agents wrote; no text is too odd.
 */
export const workingMemoryOf = (
  agentContentJson: string,
  workingMemoryArtifactContent: string | null,
): unknown => {
  const content = jsonIn(agentContentJson);
  const own = isObject(content) ? content.working_memory : null;
  if (own !== null && own !== undefined) return own;
  const text = workingMemoryArtifactContent?.trim() ?? "";
  if (text === "") return null;
  if (text.length > PARSED_UNITS_MAX) return text;
  return jsonIn(text) ?? parsedYaml(text) ?? text;
};
