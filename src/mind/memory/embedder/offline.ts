import { cutText } from "../../../kernel/index.ts";
import type { Embedder } from "../memory-store.ts";
import { besides, WorkerLink } from "../worker-link.ts";
import type { OfflineCalls } from "./offline-worker.ts";

/** The cost of an embedding grows with its text, and what matters of a memory stands in front. */
const TEXT_UNITS_MAX = 320;
/** What is asked for at once. Small, so that who asks for one text waits for few of others. */
const REQUEST_TEXTS_MAX = 8;

/**
 * Sentence embeddings by the Universal Sentence Encoder whose weights come in a package: no
 * network, no key. It runs in a thread of its own, which the first text starts.
 */
export const offlineEmbedder = (): Embedder => {
  const link = new WorkerLink<OfflineCalls>({
    url: new URL(besides(import.meta.url, "./offline-worker"), import.meta.url),
    name: "embedder",
    workerData: null,
    env: {},
    onNote: () => {},
    onLost: () => {},
    onPrinted: () => {},
  });
  return {
    name: "offline-use-lite-en-512-1",
    bySpelling: false,
    embed: async (texts) => {
      const cut = texts.map((text) => cutText(text, TEXT_UNITS_MAX));
      const requests: Promise<readonly Float32Array[]>[] = [];
      for (let i = 0; i < cut.length; i += REQUEST_TEXTS_MAX) {
        requests.push(link.ask("embed", cut.slice(i, i + REQUEST_TEXTS_MAX)));
      }
      return (await Promise.all(requests)).flat();
    },
    close: () => link.close(),
  };
};
