const REPLY = JSON.stringify({
  candidates: [
    {
      content: {
        role: "model",
        parts: [{ text: '{"thought_process":"nothing to do","action":{"noop":{}}}' }],
      },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 20, totalTokenCount: 920 },
});

/** The agent whom the provider never answers. */
export const STUCK = "agent_stuck";

const reply = (): Response =>
  new Response(REPLY, { headers: { "content-type": "application/json" } });

/** Stands in for the network: a provider that answers after its latency, or at once. */
export const mockProvider =
  (latencyMs: number): typeof globalThis.fetch =>
  (_url, init) => {
    if (latencyMs === 0) return Promise.resolve(reply());
    return new Promise((resolve, reject) => {
      const hangs = typeof init?.body === "string" && init.body.includes(`name is ${STUCK}`);
      const timer = hangs ? null : setTimeout(() => resolve(reply()), latencyMs);
      init?.signal?.addEventListener("abort", () => {
        if (timer !== null) clearTimeout(timer);
        reject(init.signal?.reason);
      });
    });
  };
