/* ---
title: Compare versions
topic: validation
takes: notation
gives: record
worth: 4
description: Which of two version numbers is the newer, by the rules of semantic versioning.
methods:
  - name: run
    description: The order (-1 when the first is older, 1 when it is newer, 0 when they rank the
      same) and the newer version.
    input_schema:
      type: object
      properties:
        version: { type: string, description: As in 1.4.0-beta.2. }
        other: { type: string, description: As in 1.4.0. }
      required: [version, other]
    output_schema:
      type: object
      properties:
        order: { type: integer, enum: [-1, 0, 1] }
        newer: { type: [string, "null"] }
    examples:
      - args: ["1.10.0", "1.9.3"]
        result: { order: 1, newer: 1.10.0 }
      - args: [1.0.0-beta.2, 1.0.0]
        result: { order: -1, newer: 1.0.0 }
      - args: [v2.0.0+build5, 2.0.0]
        result: { order: 0, newer: null }
--- */
function run(version, other) {
  const order = _compare(_parts(version), _parts(other));
  return { order, newer: order === 0 ? null : order > 0 ? version : other };
}

function _compare(a, b) {
  const numbers = _compareLists(a.numbers, b.numbers);
  if (numbers !== 0 || (a.labels.length === 0 && b.labels.length === 0)) {
    return numbers;
  }
  if (a.labels.length === 0 || b.labels.length === 0) {
    return a.labels.length === 0 ? 1 : -1;
  }
  return _compareLists(a.labels, b.labels);
}

function _parts(version) {
  const form = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
  const match = typeof version === "string" ? form.exec(version) : null;
  if (match === null) {
    return kernel.fail("bad_input", "a version must be a string such as 1.4.0 or 1.4.0-beta.2");
  }
  const labels = match[4] === undefined ? [] : match[4].split(".");
  return {
    numbers: match.slice(1, 4).map(Number),
    labels: labels.map((label) => (/^\d+$/.test(label) ? Number(label) : label)),
  };
}

// Numbers rank by size and before words; where one list begins the other, the longer is newer.
function _compareLists(a, b) {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]];
    if (typeof left !== typeof right) {
      return typeof left === "number" ? -1 : 1;
    }
    if (left !== right) {
      return left < right ? -1 : 1;
    }
  }
  return Math.sign(a.length - b.length);
}
