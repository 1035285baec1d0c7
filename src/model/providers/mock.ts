import { z } from "zod";
import { lazyModel, limitSettings, type Provider } from "./provider.ts";

const latency = z.int().min(0).max(600_000);

const mockSettings = z.strictObject({
  /** The real duration of a call: [min, max] in ms. */
  latency_ms: z
    .tuple([latency, latency])
    .refine(([min, max]) => min <= max, "must be [min, max] with min <= max"),
  /** The share of attempts that fail. */
  fault_share: z.number().min(0).max(1),
  ...limitSettings,
});

/** A provider that is part of the program. It needs no key and no network. */
export const mock: Provider<z.infer<typeof mockSettings>> = {
  name: "mock",
  aliases: [],
  settings: mockSettings,
  price: "by provider",
  embeds: true,
  keyVariable: () => null,
  requiredVariable: () => null,
  accounts: () => [{ key: null, sharedAs: null }],
  problems: () => [],
  create: ({ latency_ms: latencyMs, fault_share: faultShare }, accounts, { seed, time }) =>
    accounts.map(() =>
      lazyModel(async () => {
        const { mockModel } = await import("../mock/mock-model.ts");
        return mockModel({ latencyMs, faultShare, seed, time });
      }),
    ),
};
