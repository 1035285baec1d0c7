import { expect, it } from "vitest";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import { stateText, verifyCheckpoint, writeCheckpoint } from "../../../src/world/index.ts";
import { checkpointWith, freshPath, smallState } from "./fixtures.ts";

const verdictOn = async (text: string) => {
  const path = freshPath();
  const written = await writeCheckpoint(path, checkpointWith({ state: packedJson(text) }));
  expect(written).toMatchObject({ ok: true });
  return verifyCheckpoint(path);
};

it.each<readonly [string, (text: string) => string, boolean]>([
  ["as we write it", (text) => text, true],
  ["with a blank", (text) => text.replace("{", "{ "), false],
  ["with a table twice", (text) => text.replace("{", '{"agents":[],'), false],
  ["with a letter written as a number", (text) => text.replace("é", "\\u00e9"), false],
])("a state that is written %s", async (_, change, holds) => {
  const text = stateText(smallState());
  expect(change(text) === text).toBe(holds);
  const verdict = await verdictOn(change(text));
  const checks = "checks" in verdict ? verdict.checks : [];
  const state = checks.find(({ name }) => name === "state");
  expect(state?.detail.includes("so it was changed")).toBe(!holds);
});
