/** Results below e^-60 become 0. Their products could be too small for fast arithmetic. */
const EXPONENT_MIN = -60;
const HALVES = Float64Array.from({ length: 90 }, (_, n) => 2 ** -n);

/**
 * Returns e^x of a number that is not positive, with a relative error below 2e-7. The last bits of
 * `Math.exp` may depend on the machine. The bits of this result do not.
 */
export const exponential = (x: number): number => {
  if (x < EXPONENT_MIN) return 0;
  const halvings = Math.floor(0.5 - x / Math.LN2);
  const rest = x + halvings * Math.LN2;
  // The Taylor series of e^x up to x^6.
  const high = 1 / 6 + rest * (1 / 24 + rest * (1 / 120 + rest / 720));
  return (1 + rest * (1 + rest * (1 / 2 + rest * high))) * (HALVES[halvings] ?? 0);
};

export const tanh = (x: number): number => {
  const e = exponential(-2 * Math.abs(x));
  return (Math.sign(x) * (1 - e)) / (1 + e);
};
