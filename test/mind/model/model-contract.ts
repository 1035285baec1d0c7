import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/mind/model/model.ts";
import { settled } from "./manual-time.ts";
import { answer, deaf, failure, NEVER, request, scripted } from "./requests.ts";

/**
 * What holds for whatever stands before a model. `wrap` puts it before one; the request asked is
 * for `openai-compatible/tiny`.
 */
export const modelContract = (name: string, wrap: (inner: Model) => Model): void => {
  describe(`${name} keeps the contract of a model`, () => {
    it("hands the request on and the answer back", async () => {
      const inner = scripted(() => answer());
      const reply = await wrap(inner).ask(request(), NEVER);
      expect(reply).toMatchObject({ ok: true, text: "good day", usage: { input: 10 } });
      expect(inner.asked).toEqual([request()]);
    });

    it("hands a failure back that nothing can be done about", async () => {
      const inner = scripted(() => failure({ fault: "refused", retriable: false }));
      const reply = await wrap(inner).ask(request(), NEVER);
      expect(reply).toMatchObject({ ok: false, fault: "refused", message: "no luck" });
    });

    it("ends when it is aborted while the model works on it", async () => {
      const heeds = scripted(
        (_asking, _n, signal) =>
          new Promise((resolve) => {
            const give = () => resolve(failure({ fault: "cancelled", retriable: false }));
            signal.addEventListener("abort", give, { once: true });
          }),
      );
      const giveUp = new AbortController();
      const reply = wrap(heeds).ask(request(), giveUp.signal);
      await settled();
      expect(heeds.asked).toHaveLength(1);
      giveUp.abort();
      expect(await reply).toMatchObject({ ok: false, fault: "cancelled", retriable: false });
    });

    it("answers at once, without asking, what was aborted before", async () => {
      const inner = deaf();
      const reply = await wrap(inner).ask(request(), AbortSignal.abort());
      expect(reply).toMatchObject({ ok: false, fault: "cancelled" });
      expect(inner.asked).toEqual([]);
    });

    it("may be asked many things at once", async () => {
      const inner = scripted(async (asking) => answer({ text: asking.prompt }));
      const model = wrap(inner);
      const prompts = Array.from({ length: 20 }, (_, n) => `question ${n}`);
      const replies = await Promise.all(
        prompts.map((prompt) => model.ask(request({ prompt }), NEVER)),
      );
      expect(replies.map((reply) => reply.ok && reply.text)).toEqual(prompts);
    });
  });
};
