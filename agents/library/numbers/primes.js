/* ---
title: Prime numbers
topic: numbers
takes: integer
gives: numbers
worth: 4
description: All primes up to a number, by the sieve of Eratosthenes; and the factors of one number.
methods:
  - name: run
    description: The primes from 2 up to the limit.
    input_schema:
      type: object
      properties:
        limit: { type: integer, maximum: 10000, description: The greatest number to look at. }
      required: [limit]
    output_schema: { type: array, items: { type: integer } }
    examples:
      - args: [30]
        result: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
      - args: [2]
        result: [2]
      - args: [1]
        result: []
  - name: factorise
    description: The prime factors of a number, least first, each as often as it divides.
    input_schema:
      type: object
      properties:
        number: { type: integer, minimum: 1, maximum: 1000000000, description: What to take apart. }
      required: [number]
    output_schema: { type: array, items: { type: integer } }
    examples:
      - args: [360]
        result: [2, 2, 2, 3, 3, 5]
      - args: [999999937]
        result: [999999937]
      - args: [1]
        result: []
--- */
function run(limit) {
  if (!Number.isInteger(limit) || limit > 10000) {
    kernel.fail("bad_input", "limit must be a whole number up to 10000");
  }
  const struck = new Set();
  const primes = [];
  for (let number = 2; number <= limit; number += 1) {
    if (!struck.has(number)) {
      primes.push(number);
      for (let multiple = number * number; multiple <= limit; multiple += number) {
        struck.add(multiple);
      }
    }
  }
  return primes;
}

function factorise(number) {
  if (!Number.isInteger(number) || number < 1 || number > 1e9) {
    kernel.fail("bad_input", "number must be a whole number from 1 to 1000000000");
  }
  const factors = [];
  let rest = number;
  for (let divisor = 2; divisor * divisor <= rest; divisor += 1) {
    while (rest % divisor === 0) {
      factors.push(divisor);
      rest /= divisor;
    }
  }
  return rest > 1 ? [...factors, rest] : factors;
}
