import { describe, expect, it } from "vitest";
import { asId, type Event } from "../../../src/kernel/index.ts";
import { readAgentHistories } from "../../../src/read/index.ts";
import { actionCompleted } from "../../support/iterations.ts";
import { journalOf, thinks } from "../trail/scripted-journal.ts";

type Done = { readonly action: string; readonly target?: string; readonly method?: string };

const verbOf = (said: string, { action, target = "x", method }: Done): string | undefined => {
  const done: Event = actionCompleted("ann", {
    ...{ at_ms: 0, next_at_ms: 0, action, target: asId(target), message: "done" },
    method: method ?? null,
  });
  const decided = { [action]: { code: "throw new Error('a bug')" } };
  return readAgentHistories(journalOf([thinks("ann", said, decided)], [done])).all[0]?.verb;
};

const READ = { action: "read_artifact" };
const WRITE = { action: "write_artifact" };
const CALL = { action: "invoke_artifact", method: "run" };
const SEARCH = { action: "invoke_artifact", target: "genesis_store", method: "search" };
const PRICE = { action: "invoke_artifact", target: "genesis_store", method: "set_price" };

describe("the verb of a moment", () => {
  it.each([
    ["Debugging", "There is a bug in it.", WRITE],
    ["Debugging", "An error, so I look.", READ],
    ["Building", "I debug the prefix.", WRITE],
    ["Discovering", "I found a customer.", CALL],
    ["Refactoring", "I refactor my shop.", WRITE],
    ["Exploring", "What is this?", READ],
    ["Exploring", "Who sells bread?", SEARCH],
    ["Building", "I write it.", WRITE],
    ["Working", "I use it.", CALL],
    ["Working", "It costs less now.", PRICE],
  ])("is %s for %j with the tools %j", (verb, said, done) => {
    expect(verbOf(said, done)).toBe(verb);
  });
});
