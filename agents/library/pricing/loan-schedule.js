/* ---
title: Loan schedule
topic: pricing
takes: terms
gives: table
worth: 9
description: The equal payments that pay a loan off, each split into interest and repayment.
methods:
  - name: run
    description: One row a period in whole scrip; the last payment settles what rounding left.
    input_schema:
      type: object
      properties:
        terms:
          type: object
          properties:
            principal: { type: integer, minimum: 1, description: What is lent. }
            rate_percent: { type: number, minimum: 0, description: Interest a period. }
            periods: { type: integer, minimum: 1, maximum: 600, description: Number of payments. }
          required: [principal, rate_percent, periods]
      required: [terms]
    output_schema:
      type: array
      items:
        type: object
        properties:
          payment: { type: integer }
          interest: { type: integer }
          repaid: { type: integer }
          balance: { type: integer }
    examples:
      - args: [{ principal: 1000, rate_percent: 10, periods: 3 }]
        result:
          - { payment: 402, interest: 100, repaid: 302, balance: 698 }
          - { payment: 402, interest: 70, repaid: 332, balance: 366 }
          - { payment: 403, interest: 37, repaid: 366, balance: 0 }
      - args: [{ principal: 100, rate_percent: 0, periods: 3 }]
        result:
          - { payment: 33, interest: 0, repaid: 33, balance: 67 }
          - { payment: 33, interest: 0, repaid: 33, balance: 34 }
          - { payment: 34, interest: 0, repaid: 34, balance: 0 }
      - args: [{ principal: 50, rate_percent: 4, periods: 1 }]
        result: [{ payment: 52, interest: 2, repaid: 50, balance: 0 }]
--- */
function run(terms) {
  const { principal, rate_percent, periods } = terms || {};
  if (
    !Number.isInteger(principal) ||
    principal < 1 ||
    !Number.isFinite(rate_percent) ||
    rate_percent < 0
  ) {
    kernel.fail("bad_input", "terms need a whole principal from 1 and a rate_percent from 0");
  }
  if (!Number.isInteger(periods) || periods < 1 || periods > 600) {
    kernel.fail("bad_input", "terms need periods, a whole number from 1 to 600");
  }
  const rate = rate_percent / 100;
  const even = rate === 0 ? principal / periods : (principal * rate) / (1 - (1 + rate) ** -periods);
  const rows = [];
  let balance = principal;
  for (let period = 1; period <= periods; period += 1) {
    const interest = Math.round(balance * rate);
    const owed = balance + interest;
    const payment = period === periods ? owed : Math.min(Math.round(even), owed);
    balance = owed - payment;
    rows.push({ payment, interest, repaid: payment - interest, balance });
  }
  return rows;
}
