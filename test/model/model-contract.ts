import { describe, expect, it } from "vitest";
import type { Model, ReplyDelta } from "../../src/model/port/model.ts";
import { settled } from "./manual-time.ts";
import { answer, failure, hanging, NEVER, request, scripted } from "./requests.ts";

/** The contract of every wrapper of a model. */
export const modelContract = (name: string, wrap: (inner: Model) => Model): void => {
  describe(`${name} keeps the contract of a model`, () => {
    it("passes on the request and the answer", async () => {
      const inner = scripted(() => answer());
      const reply = await wrap(inner).ask(request(), NEVER);
      expect(reply).toMatchObject({ ok: true, text: "good day", usage: { input: 10 } });
      expect(inner.asked).toEqual([request()]);
    });

    it("passes on what the reply shows", async () => {
      const shown: ReplyDelta[] = [];
      const onDelta = (delta: ReplyDelta): void => void shown.push(delta);
      const delta = { type: "text", text: "good" } as const;
      const showing = scripted((asked) => {
        asked.onDelta?.(delta);
        return answer();
      });
      await wrap(showing).ask(request({ onDelta }), NEVER);
      expect(shown).toEqual([delta]);
    });

    it("passes on a permanent failure", async () => {
      const reply = await wrap(scripted(() => failure({ fault: "refused" }))).ask(request(), NEVER);
      expect(reply).toMatchObject({ ok: false, fault: "refused", message: "no luck" });
    });

    it("ends when it is aborted during the call", async () => {
      const abortable = scripted(
        (_asked, _n, signal) =>
          new Promise((resolve) => {
            const cancel = () => resolve(failure({ fault: "cancelled" }));
            signal.addEventListener("abort", cancel, { once: true });
          }),
      );
      const abort = new AbortController();
      const reply = wrap(abortable).ask(request(), abort.signal);
      await settled();
      expect(abortable.asked).toHaveLength(1);
      abort.abort();
      expect(await reply).toMatchObject({ ok: false, fault: "cancelled", retriable: false });
    });

    it("makes no call if it was aborted before", async () => {
      const inner = hanging();
      const reply = await wrap(inner).ask(request(), AbortSignal.abort());
      expect(reply).toMatchObject({ ok: false, fault: "cancelled" });
      expect(inner.asked).toEqual([]);
    });

    it("accepts concurrent requests", async () => {
      const model = wrap(scripted(async ({ prompt }) => answer({ text: prompt })));
      const prompts = Array.from({ length: 20 }, (_, n) => `question ${n}`);
      const asks = prompts.map((prompt) => model.ask(request({ prompt }), NEVER));
      expect((await Promise.all(asks)).map((reply) => reply.ok && reply.text)).toEqual(prompts);
    });
  });
};
