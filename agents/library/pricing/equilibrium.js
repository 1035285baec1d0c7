/* ---
title: Market equilibrium
topic: pricing
takes: terms
gives: record
worth: 6
description: The price at which straight demand and supply curves meet, and how much is then traded.
methods:
  - name: run
    description: "Demand: demand - demand_slope * price. Supply: supply + supply_slope * price. To 4
      places."
    input_schema:
      type: object
      properties:
        terms:
          type: object
          properties:
            demand: { type: number, description: Wanted at price 0. }
            demand_slope:
              type: number
              minimum: 0
              description: Fewer wanted for each 1 more in price.
            supply: { type: number, description: Offered at price 0; may be negative. }
            supply_slope:
              type: number
              minimum: 0
              description: More offered for each 1 more in price.
          required: [demand, demand_slope, supply, supply_slope]
      required: [terms]
    output_schema:
      type: object
      properties: { price: { type: number }, quantity: { type: number }, revenue: { type: number } }
    examples:
      - args: [{ demand: 100, demand_slope: 2, supply: -20, supply_slope: 4 }]
        result: { price: 20, quantity: 60, revenue: 1200 }
      - args: [{ demand: 50, demand_slope: 1, supply: 0, supply_slope: 2 }]
        result: { price: 16.6667, quantity: 33.3333, revenue: 555.5556 }
      - args: [{ demand: 10, demand_slope: 1, supply: 30, supply_slope: 1 }]
        result: { price: 0, quantity: 10, revenue: 0 }
--- */
function run(terms) {
  const { demand, demand_slope, supply, supply_slope } = terms || {};
  if (![demand, demand_slope, supply, supply_slope].every(Number.isFinite)) {
    kernel.fail(
      "bad_input",
      "terms need the numbers demand, demand_slope, supply and supply_slope",
    );
  }
  if (demand_slope < 0 || supply_slope < 0 || demand_slope + supply_slope === 0) {
    kernel.fail(
      "bad_input",
      "slopes must be 0 or more, and one of them above 0, or the curves never meet",
    );
  }
  // Where more is offered than wanted even for nothing, the price is 0 and the rest stays unsold.
  const price = Math.max(0, (demand - supply) / (demand_slope + supply_slope));
  const quantity = Math.max(0, demand - demand_slope * price);
  return { price: _round(price), quantity: _round(quantity), revenue: _round(price * quantity) };
}

function _round(x) {
  return Math.round(x * 1e4) / 1e4;
}
