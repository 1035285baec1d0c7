/** Types of the functions of jstat that we use. The package has none. */
declare module "jstat" {
  type Distributions = {
    readonly studentt: { inv(p: number, df: number): number };
    /** `ncp` is the noncentrality parameter. */
    readonly noncentralt: { cdf(x: number, df: number, ncp: number): number };
    readonly normal: { cdf(x: number, mean: number, sd: number): number };
  };
  const jStat: Distributions;
  export = jStat;
}
