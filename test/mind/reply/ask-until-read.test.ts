import { describe, expect, it } from "vitest";
import {
  type Ask,
  askUntilRead,
  type Failure,
  type ModelQuestion,
} from "../../../src/mind/index.ts";

const DOWN: Failure = { ok: false, reason: "llm_error", message: "connection: no answer" };
const POOR: Failure = { ok: false, reason: "insufficient_llm_tokens", message: "too dear" };

/** Asks for a number and gets these answers in order. */
const asking = async (
  answers: readonly (string | Failure)[],
  allowed: { readonly repairs?: number; readonly retries?: number } = {},
) => {
  const put: ModelQuestion[] = [];
  const ask: Ask = async (question) => {
    const answer = answers[put.length] ?? "too many questions";
    put.push(question);
    return typeof answer === "string" ? { ok: true, text: answer } : answer;
  };
  const came = await askUntilRead(ask, {
    purpose: "count",
    prompt: "How many?",
    wanted: {
      form: null,
      read: (text) =>
        /^\d+$/.test(text)
          ? { ok: true, value: Number(text) }
          : { ok: false, problem: `"${text.slice(0, 9)}" is not a number` },
    },
    repairs: 0,
    retries: 0,
    ...allowed,
  });
  return { came, put, purposes: put.map(({ purpose }) => purpose) };
};

describe("a question to a model", () => {
  it("is asked once if the answer can be read", async () => {
    const { came, put } = await asking(["7"], { repairs: 3, retries: 3 });
    expect(came).toEqual({ ok: true, value: 7 });
    expect(put).toEqual([{ purpose: "count", prompt: "How many?", form: null }]);
  });

  it("is repeated with the last answer and its problem", async () => {
    const { came, put, purposes } = await asking(["few", "many", "3"], { repairs: 2 });
    expect(came).toEqual({ ok: true, value: 3 });
    expect(purposes).toEqual(["count", "repair", "repair"]);
    expect(put[2]?.prompt).toMatch(/^How many\?\n\nYour reply to this was:\nmany\n\nIt cannot be/);
    expect(put[2]?.prompt).toContain('"many" is not a number');
    expect(put[2]?.prompt).not.toContain("few");
  });

  it.each([
    [{}, 1],
    [{ repairs: 2 }, 3],
    [{ retries: 2 }, 3],
    [{ repairs: 1, retries: 2 }, 4],
  ])("with unreadable answers and %j is asked %i times", async (allowed, times) => {
    const { came, put } = await asking(Array(9).fill("lots"), allowed);
    const fault = "unreadable_reply";
    const message = `${fault}: "lots" is not a number`;
    expect(came).toEqual({ ok: false, reason: "llm_error", fault, message });
    expect(put).toHaveLength(times);
  });

  it("without a reply is asked again unchanged", async () => {
    const { came, put } = await asking([DOWN, "7"], { retries: 1 });
    expect(came).toEqual({ ok: true, value: 7 });
    expect(put[1]).toEqual(put[0]);
    expect(await asking([DOWN, "7"], { repairs: 5 })).toMatchObject({ came: DOWN });
  });

  it("that the agent cannot pay is not repeated, and fails with the last problem", async () => {
    expect(await asking([POOR, "7"], { repairs: 5, retries: 5 })).toMatchObject({ came: POOR });
    const { came, put } = await asking(["few", POOR], { repairs: 5 });
    expect(came).toEqual({ ...POOR, message: '"few" is not a number; too dear' });
    expect(put).toHaveLength(2);
  });

  it("that is too long for the model is not repeated", async () => {
    const full: Failure = { ...DOWN, fault: "context_overflow" };
    const { came, put } = await asking([full, "7"], { repairs: 5, retries: 5 });
    expect(came).toEqual(full);
    expect(put).toHaveLength(1);
  });

  it("shows only the beginning of a long answer", async () => {
    const { put } = await asking(["x".repeat(9_000), "1"], { repairs: 1 });
    expect(put[1]?.prompt.length).toBeLessThan(2_000);
  });
});
