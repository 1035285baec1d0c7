type Headers = Readonly<Record<string, string>>;

/** Nobody is believed who asks for more. */
const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

const boundedMs = (ms: number): number | null =>
  Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), RETRY_AFTER_MS_MAX) : null;

/**
 * How long the headers of a reply ask to wait: `retry-after-ms`, or `retry-after` in seconds or as
 * a date (RFC 9110, section 10.2.3). A date is counted from the reply's own `date`, so that a clock
 * that goes wrong here does no harm; without one from `wallMs`.
 */
export const retryAfterMs = (headers: Headers | undefined, wallMs: number): number | null => {
  const inMs = headers?.["retry-after-ms"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(inMs)) return boundedMs(Number(inMs));
  const text = headers?.["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return boundedMs(Number(text) * 1_000);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const sentAt = Date.parse(headers?.date ?? "");
  return boundedMs(at - (Number.isNaN(sentAt) ? wallMs : sentAt));
};
