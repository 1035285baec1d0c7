import { describe, expect, it } from "vitest";
import { redactionOf } from "../../../src/figures/index.ts";
import { EVENTS } from "../../../src/kernel/index.ts";

const SECRET = "a secret";
const LEFT_OUT = "[left out]";

describe("a published copy without content", () => {
  const left = (kind: string, body: { readonly [field: string]: string }) =>
    redactionOf(kind, "content")?.(body);

  it("loses why an artifact has its score, and why it could not be scored", () => {
    const bid = { submission: "s1", artifact_id: "shop" };
    for (const kind of ["artifact_scored", "scoring_failed"]) {
      expect(left(kind, { ...bid, reason: SECRET })).toEqual({ ...bid, reason: LEFT_OUT });
    }
  });

  it("loses why a memory could not be written", () => {
    const refused = { artifact_id: "ada_memory", code: "not_authorized" };
    expect(left("memory_refused", { ...refused, message: SECRET })).toEqual({
      ...refused,
      message: LEFT_OUT,
    });
  });

  it("keeps fields that an event lacks absent", () => {
    const paid = { from: "ada", to: "bob", reason: "transfer" };
    expect(left("scrip_transferred", paid)).toEqual(paid);
    expect(left("scrip_transferred", { ...paid, memo: SECRET })).toEqual({
      ...paid,
      memo: LEFT_OUT,
    });
  });
});

it("a thought is no content, and content is no thought", () => {
  const thought = { reasoning: SECRET, action: { write_artifact: { content: SECRET } } };
  expect(redactionOf("thought_completed", "thoughts")?.(thought)).toEqual({
    ...thought,
    reasoning: LEFT_OUT,
  });
  const { reasoning } = redactionOf("thought_completed", "content")?.(thought) ?? {};
  expect(reasoning).toBe(SECRET);
});

it.each(Object.keys(EVENTS))("%s loses no field that it does not have", (kind) => {
  for (const without of ["thoughts", "content"] as const) {
    expect(redactionOf(kind, without)?.({ at_ms: 0 }) ?? { at_ms: 0 }).toEqual({ at_ms: 0 });
  }
});
