/** The smallest of 1, 2 and 5 times a power of ten that is at least `rough`, which is positive. */
export const roundStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
};
