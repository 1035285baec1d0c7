import { seconds } from "../../model/index.ts";
import { oneLine } from "./fence.ts";
import { section } from "./prompt.ts";

const MEMORY_CHARS = 300;

export const memorySections = {
  memories: section(
    { title: "Your relevant memories", priority: 82, tokensMax: 400, foreign: true },
    ({ memories: recalled, view }) =>
      recalled.map(({ atMs, text, artifact }) => {
        // An agent can own the memories of others. Their "I" is another agent.
        const source = artifact === view.memory?.id ? "" : `, from ${artifact}`;
        return `- (at ${seconds(atMs)}${source}) ${oneLine(text, MEMORY_CHARS)}`;
      }),
  ),
  working_memory: section(
    { title: "Your working memory", priority: 90, tokensMax: 600, foreign: true },
    ({ workingMemory: text }) => (text === "" ? [] : text.split("\n")),
  ),
};
