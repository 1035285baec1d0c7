/* ---
title: Net present value
topic: pricing
takes: numbers
gives: number
worth: 6
description: What payments spread over time are worth today, later ones counting for less.
methods:
  - name: run
    description: The sum of the payments, the first paid now and each later one discounted, to 2
      places.
    input_schema:
      type: object
      properties:
        cashflows:
          type: array
          items: { type: number }
          description: Payments by period; costs negative.
        rate_percent: { type: number, minimum: 0, description: Discount a period. Default 10. }
      required: [cashflows]
    output_schema: { type: number }
    examples:
      - args: [[-100, 60, 60]]
        result: 4.13
      - args: [[-1000, 300, 400, 500], 5]
        result: 80.44
      - args: [[]]
        result: 0
variants:
  - name: cautious
    title: Net present value at 20 percent
    bind: { rate_percent: 20 }
    examples:
      - args: [[-100, 60, 72]]
        result: 0
  - name: patient
    title: Net present value at 2 percent
    bind: { rate_percent: 2 }
    examples:
      - args: [[0, 102]]
        result: 100
--- */
function run(cashflows, rate_percent = 10) {
  if (!Array.isArray(cashflows) || !cashflows.every(Number.isFinite)) {
    kernel.fail("bad_input", "cashflows must be a list of numbers, such as [-100, 60, 60]");
  }
  if (!Number.isFinite(rate_percent) || rate_percent < 0) {
    kernel.fail("bad_input", "rate_percent must be a number from 0, such as 10 for 10 percent");
  }
  const growth = 1 + rate_percent / 100;
  // Horner's rule from the last payment back to the first.
  const value = cashflows.reduceRight((later, payment) => payment + later / growth, 0);
  return Math.round(value * 100) / 100 + 0;
}
