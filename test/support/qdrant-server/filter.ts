/** A filter in Qdrant's wire format, as far as the product uses it. */
export type Filter = {
  readonly must?: Condition[];
  readonly must_not?: Condition[];
  readonly should?: Condition[];
};

export type Condition = FieldCondition | Filter;

type FieldCondition = {
  readonly key: string;
  readonly match?: { readonly value: string | number | boolean } | { readonly any: string[] };
  readonly range?: {
    readonly gt?: number;
    readonly gte?: number;
    readonly lt?: number;
    readonly lte?: number;
  };
};

export type Payload = { readonly [name: string]: unknown };

/** Whether a payload passes: all of `must`, none of `must_not`, one of `should` if there is any. */
export const passes = (payload: Payload, filter: Filter): boolean => {
  const { must = [], must_not = [], should = [] } = filter;
  return (
    must.every((each) => holds(payload, each)) &&
    !must_not.some((each) => holds(payload, each)) &&
    (should.length === 0 || should.some((each) => holds(payload, each)))
  );
};

/** The payload fields that a filter names. */
export const fieldsIn = (condition: Condition): readonly string[] => {
  if ("key" in condition) return [condition.key];
  const { must = [], must_not = [], should = [] } = condition;
  return [...must, ...must_not, ...should].flatMap(fieldsIn);
};

const holds = (payload: Payload, condition: Condition): boolean => {
  if (!("key" in condition)) return passes(payload, condition);
  const { key, match, range } = condition;
  const value = payload[key];
  if (match !== undefined) {
    return "value" in match ? value === match.value : match.any.some((each) => each === value);
  }
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range ?? {};
  return typeof value === "number" && value > gt && value >= gte && value < lt && value <= lte;
};
