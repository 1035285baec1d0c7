/* ---
title: Break-even point
topic: pricing
takes: terms
gives: record
worth: 4
description: How many units must be sold before a business earns back its fixed cost.
methods:
  - name: run
    description: Whole units, the revenue at that point, and what each unit earns.
    input_schema:
      type: object
      properties:
        terms:
          type: object
          properties:
            fixed_cost: { type: number, minimum: 0, description: Paid whatever is sold. }
            price: { type: number, minimum: 0, description: What a unit sells for. }
            unit_cost: { type: number, minimum: 0, description: What a unit costs to make. }
          required: [fixed_cost, price, unit_cost]
      required: [terms]
    output_schema:
      type: object
      properties: { units: { type: integer }, revenue: { type: number }, margin: { type: number } }
    examples:
      - args: [{ fixed_cost: 1000, price: 15, unit_cost: 9 }]
        result: { units: 167, revenue: 2505, margin: 6 }
      - args: [{ fixed_cost: 90, price: 2.5, unit_cost: 1 }]
        result: { units: 60, revenue: 150, margin: 1.5 }
      - args: [{ fixed_cost: 0, price: 5, unit_cost: 4 }]
        result: { units: 0, revenue: 0, margin: 1 }
--- */
function run(terms) {
  const { fixed_cost, price, unit_cost } = terms || {};
  if (![fixed_cost, price, unit_cost].every((amount) => Number.isFinite(amount) && amount >= 0)) {
    kernel.fail("bad_input", "terms need fixed_cost, price and unit_cost, numbers from 0");
  }
  const margin = _cents(price - unit_cost);
  if (margin <= 0) {
    kernel.fail(
      "bad_input",
      "the price must be above the unit cost, else nothing is ever earned back",
    );
  }
  const units = Math.ceil(_cents(fixed_cost) / margin);
  return { units, revenue: _cents(units * price), margin };
}

function _cents(amount) {
  return Math.round(amount * 100) / 100;
}
