import { describe, expect, it } from "vitest";
import { eventSentence, redactionOf } from "../../../src/figures/index.ts";
import { type JsonObject, must } from "../../../src/kernel/index.ts";

/** The body of an event without content, and its sentence. */
const withoutContent = (kind: string, given: JsonObject) => {
  const redact = must(redactionOf(kind, "content"), `${kind} must have content`);
  const body = redact(given);
  const row = { seq: 1, hash: "", atMs: 0, kind, principal: "ann", body: JSON.stringify(body) };
  return { body, sentence: eventSentence(row) };
};

const CALL = {
  invoke_artifact: { artifact_id: "shop", method: "buy", args: ["SECRET"], max_price: 5 },
};
const SHOWN = { invoke_artifact: { artifact_id: "shop", method: "buy", max_price: 5 } };

describe("a decision without content", () => {
  it.each([
    ["thought_completed", { action: CALL, reasoning: "" }, "ann decided to call shop.buy"],
    [
      "action_proposed",
      { action: CALL, reasoning: "", cost: 5 },
      "ann asks to call shop.buy, for at most 5 scrip",
    ],
  ])("names its kind and its target: %s", (kind, given, says) => {
    const { body, sentence } = withoutContent(kind, given);
    expect(body.action).toEqual(SHOWN);
    expect(sentence).toBe(says);
  });

  it("keeps the kind of a flat action", () => {
    const action = { kind: "write_artifact", artifact_id: "note", content: "SECRET" };
    const { body, sentence } = withoutContent("thought_completed", { action, reasoning: "" });
    expect(body.action).toEqual({ kind: "write_artifact", artifact_id: "note" });
    expect(sentence).toBe("ann decided to write note");
  });

  it.each(["SECRET", ["SECRET"], { SECRET: "SECRET" }, { noop: "SECRET" }])(
    "has no text of an action that no world could read: %j",
    (action) => {
      const { body } = withoutContent("thought_completed", { action, reasoning: "" });
      expect(JSON.stringify(body)).not.toContain("SECRET");
    },
  );
});

describe("the decision of a reviewer without content", () => {
  const decided = (decision: JsonObject) =>
    withoutContent("proposal_decided", {
      ...{ agent: "ann", proposal: 1, decided_by: "reviewer" },
      decision,
    }).body.decision;

  it("says only what the reviewer did", () => {
    expect(decided({ kind: "accept" })).toEqual({ kind: "accept" });
    expect(decided({ kind: "edit", action: CALL })).toEqual({ kind: "edit", action: SHOWN });
    const feedback = { kind: "feedback", text: "[left out]" };
    expect(decided({ kind: "feedback", text: "SECRET" })).toEqual(feedback);
  });

  it("does not become another decision if it cannot be read", () => {
    expect(decided({ kind: "delay", text: "SECRET" })).toBe("[left out]");
  });
});
