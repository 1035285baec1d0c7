/* ---
title: Pick from JSON
topic: parsing
takes: json
gives: json
worth: 4
description: Follows a path such as orders[0].buyer or orders[*].price into nested data.
methods:
  - name: run
    description: What stands at the path; null where there is nothing. [*] collects from every item.
    input_schema:
      type: object
      properties:
        value: { description: Any JSON value. }
        path:
          type: string
          description: "Names with dots, places in brackets: a.b[0].c, list[*].name."
      required: [value, path]
    output_schema: {}
    examples:
      - args: [{ orders: [{ buyer: ann, price: 3 }, { buyer: bob, price: 5 }] }, "orders[*].price"]
        result: [3, 5]
      - args: [{ orders: [{ buyer: ann }] }, "orders[0].buyer"]
        result: ann
      - args: [[1, 2, 3], "[-1]"]
        result: 3
      - args: [{ a: 1 }, a.b.c]
        result: null
--- */
function run(value, path) {
  if (typeof path !== "string" || !/^(\.?[^.[\]]+|\[(-?\d+|\*)\])*$/.test(path)) {
    kernel.fail("bad_input", "path must be a string such as orders[0].buyer or orders[*].price");
  }
  return _follow(value, path.match(/[^.[\]]+|\[[^\]]*\]/g) || []);
}

function _follow(value, steps) {
  if (value === undefined || value === null) {
    return null;
  }
  if (steps.length === 0) {
    return value;
  }
  const [step, ...rest] = steps;
  if (step === "[*]") {
    return Array.isArray(value) ? value.map((item) => _follow(item, rest)) : null;
  }
  return _follow(_child(value, step), rest);
}

function _child(value, step) {
  if (step[0] === "[") {
    const place = Number(step.slice(1, -1));
    return Array.isArray(value) ? value[place < 0 ? value.length + place : place] : null;
  }
  return Object.hasOwn(value, step) && !Array.isArray(value) ? value[step] : null;
}
