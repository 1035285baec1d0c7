/** A condition or a filter in Qdrant's wire format, as far as the product uses it. */
export type Filter = {
  readonly key?: string;
  readonly match?: { readonly value?: unknown; readonly any?: readonly unknown[] };
  readonly range?: { readonly gt?: number; readonly gte?: number; readonly lt?: number };
  readonly must?: readonly Filter[];
  readonly must_not?: readonly Filter[];
  readonly should?: readonly Filter[];
};

export type Payload = { readonly [name: string]: unknown };

/** Whether a payload passes: all of `must`, none of `must_not`, one of `should` if there is any. */
export const passes = (payload: Payload, filter: Filter | null | undefined): boolean => {
  if (filter === null || filter === undefined) return true;
  const { must = [], must_not = [], should = [] } = filter;
  return (
    passesCondition(payload, filter) &&
    must.every((each) => passes(payload, each)) &&
    !must_not.some((each) => passes(payload, each)) &&
    (should.length === 0 || should.some((each) => passes(payload, each)))
  );
};

const passesCondition = (payload: Payload, { key, match, range }: Filter): boolean => {
  if (key === undefined) return true;
  const value = payload[key];
  if (match !== undefined) {
    return match.any === undefined ? value === match.value : match.any.includes(value);
  }
  const { gt = -Infinity, gte = -Infinity, lt = Infinity } = range ?? {};
  return typeof value === "number" && value > gt && value >= gte && value < lt;
};
