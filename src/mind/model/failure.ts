import {
  type ModelFailure,
  type ModelFault,
  type ModelReply,
  NO_TOKENS,
  type TokenUsage,
} from "./model.ts";

/** What went wrong, before it is known what it cost. */
export type Fault = {
  readonly fault: ModelFault;
  readonly message: string;
  readonly retriable: boolean;
  readonly retryAfterMs: number | null;
  /** Set where the message has words of the provider in it, which may repeat what was sent. */
  readonly quotes?: true;
};

type Spent = { readonly usage: TokenUsage; readonly latencyMs: number };

/** A fault that will be the same however often the call is made. */
export const final = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: false,
  retryAfterMs: null,
});

/** A fault that may be gone the next time. */
export const passing = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: true,
  retryAfterMs: null,
});

/** `spent` is left out where nothing was sent. */
export const failed = (servedBy: string, fault: Fault, spent?: Spent): ModelFailure => ({
  ok: false,
  fault: fault.fault,
  message: fault.message,
  retriable: fault.retriable,
  retryAfterMs: fault.retryAfterMs,
  servedBy,
  usage: spent?.usage ?? NO_TOKENS,
  latencyMs: spent?.latencyMs ?? 0,
});

export const cancelled = (servedBy: string, latencyMs: number): ModelFailure =>
  failed(servedBy, final("cancelled", "the call was given up"), { usage: NO_TOKENS, latencyMs });

/** The reply, or `instead` as soon as the signal is aborted. */
export const untilAborted = (
  reply: Promise<ModelReply>,
  signal: AbortSignal,
  instead: () => ModelReply,
): Promise<ModelReply> =>
  new Promise((resolve) => {
    const abort = (): void => resolve(instead());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void reply.then((given) => {
      signal.removeEventListener("abort", abort);
      resolve(given);
    });
  });
