import {
  type ModelFailure,
  type ModelFault,
  type ModelReply,
  NO_TOKENS,
  type TokenUsage,
} from "./model.ts";

/** A failure without its cost. */
export type Fault = {
  readonly fault: ModelFault;
  readonly message: string;
  readonly retriable: boolean;
  readonly retryAfterMs: number | null;
  /** Set if the message quotes the provider, which may repeat what was sent. */
  readonly quotes?: true;
};

type Spent = { readonly usage: TokenUsage; readonly latencyMs: number };

/** A fault that retries do not change. */
export const permanentFault = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: false,
  retryAfterMs: null,
});

/** A fault that a retry may avoid. */
export const transientFault = (fault: ModelFault, message: string): Fault => ({
  fault,
  message,
  retriable: true,
  retryAfterMs: null,
});

/** `spent` is absent if nothing was sent. */
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
  failed(servedBy, permanentFault("cancelled", "the call was cancelled"), {
    usage: NO_TOKENS,
    latencyMs,
  });

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
