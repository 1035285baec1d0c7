/* ---
title: Compound interest
topic: pricing
takes: number
gives: number
worth: 3
description: What an amount grows to when interest earns interest.
methods:
  - name: run
    description: The amount after so many periods, to 2 places.
    input_schema:
      type: object
      properties:
        amount: { type: number, description: What is put away. }
        rate_percent: { type: number, minimum: -100, description: Interest a period. Default 5. }
        periods: { type: integer, minimum: 0, maximum: 1000, description: How many. Default 10. }
      required: [amount]
    output_schema: { type: number }
    examples:
      - args: [1000, 5, 10]
        result: 1628.89
      - args: [100, 10, 2]
        result: 121
      - args: [250, 8, 0]
        result: 250
variants:
  - name: one_year
    title: Interest of 4 percent for a year
    bind: { rate_percent: 4, periods: 1 }
    examples:
      - args: [250]
        result: 260
  - name: monthly
    title: Interest of 1 percent a month for a year
    bind: { rate_percent: 1, periods: 12 }
    examples:
      - args: [1000]
        result: 1126.83
  - name: decay
    title: Loss of a tenth in each of 5 periods
    bind: { rate_percent: -10, periods: 5 }
    examples:
      - args: [1000]
        result: 590.49
--- */
function run(amount, rate_percent = 5, periods = 10) {
  if (!Number.isFinite(amount)) {
    kernel.fail("bad_input", "amount must be a number, such as 1000");
  }
  if (!Number.isFinite(rate_percent) || rate_percent < -100) {
    kernel.fail("bad_input", "rate_percent must be a number from -100, such as 5 for 5 percent");
  }
  if (!Number.isInteger(periods) || periods < 0 || periods > 1000) {
    kernel.fail("bad_input", "periods must be a whole number from 0 to 1000");
  }
  const grown = amount * (1 + rate_percent / 100) ** periods;
  if (Math.abs(grown) > Number.MAX_SAFE_INTEGER) {
    kernel.fail("bad_input", "the amount grows too large; use a lower rate or fewer periods");
  }
  return Math.round(grown * 100) / 100 + 0;
}
