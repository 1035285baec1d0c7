/* ---
title: Best load
topic: search
takes: goods
gives: record
worth: 9
description: Which goods to take so that their weight fits a capacity and their value is greatest.
methods:
  - name: run
    description: The best choice, each item at most once, in the order given.
    input_schema:
      type: object
      properties:
        goods:
          type: array
          items:
            type: object
            properties:
              name: { type: string }
              weight: { type: integer, minimum: 0 }
              value: { type: number }
            required: [name, weight, value]
          description: Weights are whole numbers.
        capacity: { type: integer, minimum: 0, description: Greatest total weight. Default 10. }
      required: [goods]
    output_schema:
      type: object
      properties:
        names: { type: array, items: { type: string } }
        weight: { type: integer }
        value: { type: number }
    examples:
      - args:
          - - { name: tent, weight: 5, value: 9 }
            - { name: rope, weight: 3, value: 5 }
            - { name: lamp, weight: 3, value: 5 }
          - 6
        result: { names: [rope, lamp], weight: 6, value: 10 }
      - args: [[{ name: tent, weight: 5, value: 9 }, { name: feather, weight: 0, value: 1 }]]
        result: { names: [tent, feather], weight: 5, value: 10 }
      - args: [[]]
        result: { names: [], weight: 0, value: 0 }
variants:
  - name: backpack
    title: Best load of 20
    bind: { capacity: 20 }
    examples:
      - args:
          - - { name: stove, weight: 12, value: 8 }
            - { name: tent, weight: 11, value: 9 }
            - { name: rope, weight: 9, value: 3 }
        result: { names: [tent, rope], weight: 20, value: 12 }
  - name: cart
    title: Best load of 100
    bind: { capacity: 100 }
    examples:
      - args: [[{ name: wheat, weight: 60, value: 30 }, { name: iron, weight: 80, value: 50 }]]
        result: { names: [iron], weight: 80, value: 50 }
--- */
function run(goods, capacity = 10) {
  const isGood = (good) =>
    good !== null &&
    typeof good === "object" &&
    typeof good.name === "string" &&
    Number.isInteger(good.weight) &&
    good.weight >= 0 &&
    Number.isFinite(good.value);
  if (!Array.isArray(goods) || !goods.every(isGood)) {
    kernel.fail("bad_input", "goods must be records such as { name: 'tent', weight: 5, value: 9 }");
  }
  if (!Number.isInteger(capacity) || capacity < 0 || capacity * goods.length > 50000) {
    kernel.fail(
      "bad_input",
      "capacity must be a whole number from 0; times the goods at most 50000",
    );
  }
  // best[room]: the greatest value that fits, and the chain of goods that makes it.
  let best = Array.from({ length: capacity + 1 }, () => ({ value: 0, last: null }));
  for (const good of goods) {
    best = best.map((without, room) => {
      const rest = best[room - good.weight];
      const value = rest === undefined ? -1 : rest.value + good.value;
      return value > without.value ? { value, last: { good, before: rest.last } } : without;
    });
  }
  const taken = [];
  for (let link = best[capacity].last; link !== null; link = link.before) {
    taken.unshift(link.good);
  }
  const weight = taken.reduce((sum, good) => sum + good.weight, 0);
  return { names: taken.map((good) => good.name), weight, value: best[capacity].value };
}
