import { expect, it } from "vitest";
import { afterCommit } from "../../../src/mind/model/limits/pacing.ts";
import { answer, NEVER, request, scripted } from "./requests.ts";

it("puts a question when what it tells is on disk, and not before", async () => {
  const model = scripted(() => answer());
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = afterCommit(model, () => promise).ask(request(), NEVER);
  await Promise.resolve();
  expect(model.asked).toEqual([]);
  resolve(true);
  expect(await asked).toEqual(answer());
  expect(model.asked).toHaveLength(1);
});

it("waits for what was known when the question was thought of, where that is said", async () => {
  const model = scripted(() => answer());
  const never = new Promise<boolean>(() => {});
  const durable = Promise.resolve(true);
  expect(await afterCommit(model, () => never).ask(request({ durable }), NEVER)).toEqual(answer());
});

it("asks nobody any more once nothing reaches the disk", async () => {
  const model = scripted(() => answer());
  const reply = await afterCommit(model, async () => false).ask(request(), NEVER);
  expect(reply).toMatchObject({ ok: false, fault: "cancelled" });
  expect(model.asked).toEqual([]);
});
