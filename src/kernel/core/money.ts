/** True for a valid amount of scrip or micro-dollars: a whole number from 1 to 2^53 - 1. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;

/** True for a valid price or limit: a whole number, 0 or more. Minus zero is not valid. */
export const isAmountOrZero = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);

export const AMOUNT_RULE = "an amount must be a whole number from 1 to 9007199254740991";

/** True if `a + b` is too large to be exact. */
export const overflows = (a: number, b: number): boolean => !Number.isSafeInteger(a + b);
