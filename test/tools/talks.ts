import { askerOf, type Script } from "../support/model-server/model-server.ts";
import { type Call, calling } from "./smith.ts";

/** What a model says in a step: calls of tools, or a text that ends its turn. */
export type Said = readonly Call[] | string;

/** The steps of each agent. After the last one, it ends its turn without a word. */
export const scriptOf = (agents: { readonly [id: string]: readonly Said[] }): Script => {
  const step = new Map<string, number>();
  let replies = 0;
  return (call) => {
    const asker = askerOf(call) ?? "";
    const at = step.get(asker) ?? 0;
    step.set(asker, at + 1);
    replies += 1;
    const said = agents[asker]?.[at] ?? [["end_turn", {}]];
    return typeof said === "string" ? calling(replies, [], said) : calling(replies, said);
  };
};
