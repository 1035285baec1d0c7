import { setImmediate } from "node:timers/promises";
import { serve } from "../../channel/index.ts";
import { sentenceEncoder } from "./sentence/sentence-encoder.ts";

let encoder: ReturnType<typeof sentenceEncoder> | null = null;

const answers = {
  embed: async (text: string): Promise<Float32Array> => {
    // Sends the earlier answers first.
    await setImmediate();
    encoder ??= sentenceEncoder();
    return encoder(text);
  },
};
export type OfflineCalls = typeof answers;

serve("in order", answers);
