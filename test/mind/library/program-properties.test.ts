import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer } from "./shipped.ts";

const RUNS = { numRuns: 60 };
const check = <T extends [unknown, ...unknown[]]>(...property: Parameters<typeof fc.property<T>>) =>
  fc.assert(fc.property(...property), RUNS);

/** Text that the world accepts: without NUL. */
const anyText = fc
  .string({ unit: "binary", maxLength: 60 })
  .filter((text) => !text.includes("\u0000"));
const letters = fc.string({ unit: fc.constantFrom(..."abcxyz"), maxLength: 12 });
const amounts = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 });
const byName = (least: number) =>
  fc.dictionary(letters, fc.integer({ min: least, max: 50 }), { minKeys: 1, maxKeys: 6 });
const sum = (numbers: readonly number[]) => numbers.reduce((total, x) => total + x, 0);
const valuesOf = (json: unknown) => Object.values(json as Record<string, number>);

describe("encodings", () => {
  it.each(["base64", "hex", "run_length", "url_encode", "html_escape"])(
    "%s decodes what it encoded",
    (name) => {
      check(anyText, (text) => {
        expect(answer(`${name}.decode`, answer(name, text))).toBe(text);
      });
    },
  );

  it("base64 and hex agree with Node", () => {
    check(anyText, (text) => {
      expect(answer("base64", text)).toBe(Buffer.from(text).toString("base64"));
      expect(answer("hex", text)).toBe(Buffer.from(text).toString("hex"));
    });
  });

  it("crc32 agrees with Node", () => {
    check(anyText, (text) => {
      expect(answer("crc32", text)).toBe(crc32(text).toString(16).padStart(8, "0"));
    });
  });

  it("vigenere decodes with the same key", () => {
    const key = fc.string({ unit: fc.constantFrom(..."abcXYZ"), minLength: 1, maxLength: 8 });
    check(anyText, key, (text, each) => {
      expect(answer("vigenere.decode", answer("vigenere", text, each), each)).toBe(text);
    });
  });

  it("morse decodes words of letters and digits", () => {
    const word = fc.string({ unit: fc.constantFrom(..."ABCXYZ0189"), minLength: 1, maxLength: 8 });
    check(fc.array(word, { maxLength: 5 }), (words) => {
      expect(answer("morse.decode", answer("morse", words.join(" ")))).toBe(words.join(" "));
    });
  });
});

describe("readers", () => {
  it("csv reads quoted and plain fields", () => {
    const field = fc.string({ unit: fc.constantFrom(..."ab \"',;\n"), maxLength: 6 });
    const rows = fc.array(fc.tuple(field, field), { maxLength: 6 });
    const quoted = (text: string) =>
      /["\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    check(rows, fc.constantFrom("\n", "\r\n"), (cells, end) => {
      const lines = [["x", "y"], ...cells].map((row) => row.map(quoted).join(","));
      expect(answer("csv", lines.join(end))).toEqual(cells.map(([x, y]) => ({ x, y })));
    });
  });

  it("query_string reads what it builds", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 });
    check(fc.dictionary(name, anyText, { maxKeys: 4, noNullPrototype: true }), (values) => {
      expect(answer("query_string", answer("query_string.build", values))).toEqual(values);
    });
  });

  it("arithmetic agrees with JavaScript on any expression", () => {
    const { expression } = fc.letrec<{
      expression: string;
      number: string;
      pair: string;
      group: string;
    }>((tie) => ({
      expression: fc.oneof({ maxDepth: 4 }, tie("number"), tie("pair"), tie("group")),
      number: fc.integer({ min: 0, max: 40 }).map((n) => (n % 3 === 0 ? `${n}.5` : `${n}`)),
      pair: fc
        .tuple(tie("expression"), fc.constantFrom(" + ", "-", " * ", "/", " % "), tie("expression"))
        .map((parts) => parts.join("")),
      group: tie("expression").map((inner) => `(${inner})`),
    }));
    check(expression, (text) => {
      const value: number = new Function(`return ${text}`)();
      fc.pre(Number.isFinite(value) && text.length <= 500);
      expect(answer("arithmetic", text)).toBe(Number(value.toPrecision(12)) + 0);
    });
  });

  it("iso_date agrees with the calendar of JavaScript", () => {
    const day = fc.date({
      min: new Date("0001-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    check(day, day, (first, second) => {
      const [from, to] = [first, second].map((each) => each.toISOString().slice(0, 10));
      const weekday = first.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
      expect(answer("iso_date", from)).toMatchObject({ weekday, month: first.getUTCMonth() + 1 });
      const days = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 86_400_000;
      expect(answer("iso_date.days_between", from, to)).toBe(days);
    });
  });

  it("roman parses every number that it writes", () => {
    check(fc.integer({ min: 1, max: 3999 }), (number) => {
      expect(answer("roman.parse", answer("roman", number))).toBe(number);
    });
  });

  it("wrap keeps every word, and lines within the width", () => {
    check(fc.array(letters, { maxLength: 20 }), fc.integer({ min: 1, max: 30 }), (words, width) => {
      const wrapped = String(answer("wrap", words.join(" "), width));
      const kept = words.filter((word) => word !== "");
      expect(wrapped.split(/\s+/).filter((word) => word !== "")).toEqual(kept);
      const long = wrapped.split("\n").filter((line) => line.length > width && line.includes(" "));
      expect(long).toEqual([]);
    });
  });
});

describe("checks", () => {
  it("luhn accepts a completed number and detects any changed digit", () => {
    const digits = fc.string({
      unit: fc.constantFrom(..."0123456789"),
      minLength: 1,
      maxLength: 20,
    });
    check(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, place, shift) => {
      const whole = String(answer("luhn.complete", number));
      const at = place % whole.length;
      const changed = whole.slice(0, at) + ((Number(whole[at]) + shift) % 10) + whole.slice(at + 1);
      expect(answer("luhn", whole)).toMatchObject({ valid: true });
      expect(answer("luhn", changed)).toMatchObject({ valid: false });
    });
  });

  it("iban detects any changed digit", () => {
    const iban = "GB82WEST12345698765432";
    check(fc.integer({ min: 8, max: 21 }), fc.integer({ min: 1, max: 9 }), (at, shift) => {
      const changed = iban.slice(0, at) + ((Number(iban[at]) + shift) % 10) + iban.slice(at + 1);
      expect(answer("iban", changed)).toMatchObject({ valid: false });
    });
  });

  it("brackets accepts exactly the texts that become empty when pairs are removed", () => {
    check(fc.string({ unit: fc.constantFrom(..."()[]{}"), maxLength: 10 }), (text) => {
      let left = text;
      for (let before = ""; before !== left; ) {
        before = left;
        left = left.replace(/\(\)|\[\]|\{\}/g, "");
      }
      expect(answer("brackets", text)).toMatchObject({ valid: left === "" });
    });
  });

  it("semver_compare changes its sign if its arguments are swapped", () => {
    const label = fc.constantFrom("", "-alpha", "-alpha.1", "-beta.2", "-beta.11", "-rc.1");
    const version = fc.tuple(fc.nat(2), fc.nat(2), label).map(([a, b, c]) => `1.${a}.${b}${c}`);
    check(version, version, (a, b) => {
      const [forth, back] = [answer("semver_compare", a, b), answer("semver_compare", b, a)];
      expect(sum([forth, back].map((each) => valuesOf(each)[0] ?? 1))).toBe(0);
    });
  });

  it("artifact_id suggests an id that it accepts", () => {
    check(anyText, (text) => {
      const { suggestion } = answer("artifact_id", text) as { suggestion: string };
      expect(answer("artifact_id", suggestion)).toMatchObject({ valid: true });
    });
  });
});

describe("distances, orders and choices", () => {
  const distance = (a: string, b: string) => valuesOf(answer("levenshtein", a, b))[0] ?? Number.NaN;

  it("levenshtein is a distance", () => {
    check(letters, letters, letters, (a, b, c) => {
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, b) === 0).toBe(a === b);
      expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    });
  });

  it("top_k keeps the first entries of the sorted list", () => {
    check(byName(0), fc.integer({ min: 1, max: 8 }), (tally, k) => {
      const naive = Object.entries(tally).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      const expected = naive.slice(0, k).map(([name, value]) => ({ name, value }));
      expect(answer("top_k", tally, k)).toEqual(expected);
    });
  });

  it("binary_search finds the same as a linear search", () => {
    check(amounts, fc.integer({ min: 0, max: 200 }), (numbers, target) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const index = sorted.filter((x) => x < target).length;
      const found = sorted.includes(target);
      expect(answer("binary_search", sorted, target)).toEqual({ found, index });
    });
  });

  const edges = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(..."abcde"),
      fc.constantFrom(..."abcde"),
      fc.integer({ min: 0, max: 9 }),
    ),
    { selector: ([from, to]) => from + to, maxLength: 12 },
  );

  it("shortest_path agrees with the algorithm of Floyd and Warshall", () => {
    check(edges, (graph) => {
      const length = new Map(graph.map(([from, to, each]) => [from + to, each]));
      for (const via of "abcde") {
        for (const from of "abcde") {
          for (const to of "abcde") {
            const detour =
              (length.get(from + via) ?? Infinity) + (length.get(via + to) ?? Infinity);
            length.set(from + to, Math.min(length.get(from + to) ?? Infinity, detour));
          }
        }
      }
      const best = length.get("ae") ?? Infinity;
      const distance = Number.isFinite(best) ? best : null;
      expect(answer("shortest_path", graph, "a", "e")).toMatchObject({ distance });
    });
  });

  it("topological_sort puts the start of every edge before its end", () => {
    check(edges, (graph) => {
      const forward = graph.filter(([from, to]) => from < to);
      const order = answer("topological_sort", forward) as string[];
      expect(forward.filter(([from, to]) => order.indexOf(from) >= order.indexOf(to))).toEqual([]);
      expect(new Set(order)).toEqual(new Set(forward.flatMap((edge) => edge.slice(0, 2))));
    });
  });

  it("page_rank gives scores that add up to one", () => {
    check(edges, (graph) => {
      fc.pre(graph.length > 0);
      expect(sum(valuesOf(answer("page_rank", graph)))).toBeCloseTo(1, 2);
    });
  });

  it("knapsack is as good as the best of all choices", () => {
    const good = fc.record({
      name: letters,
      weight: fc.integer({ min: 0, max: 9 }),
      value: fc.integer({ min: 0, max: 20 }),
    });
    check(fc.array(good, { maxLength: 7 }), fc.integer({ min: 0, max: 25 }), (goods, capacity) => {
      const choices = Array.from({ length: 2 ** goods.length }, (_, mask) =>
        goods.filter((__, place) => (mask >> place) & 1),
      );
      const fitting = choices.filter((each) => sum(each.map((one) => one.weight)) <= capacity);
      const value = Math.max(...fitting.map((each) => sum(each.map((one) => one.value))));
      expect(answer("knapsack", goods, capacity)).toMatchObject({ value });
    });
  });
});

describe("statistics", () => {
  it("linear_regression finds the line through the points", () => {
    const whole = fc.integer({ min: -50, max: 50 });
    const places = fc.uniqueArray(whole, { minLength: 2, maxLength: 10 });
    check(whole, whole, places, (slope, intercept, xs) => {
      const points = xs.map((x) => [x, slope * x + intercept]);
      expect(answer("linear_regression", points)).toEqual({ slope, intercept, r_squared: 1 });
    });
  });

  it("percentile 0, 50 and 100 are the minimum, the median and the maximum", () => {
    check(amounts, (numbers) => {
      const { min, median, max } = answer("describe", numbers) as Record<string, number>;
      expect([0, 50, 100].map((p) => answer("percentile", numbers, p))).toEqual([min, median, max]);
      expect([min, max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
    });
  });

  it("histogram counts every number once", () => {
    check(amounts, fc.integer({ min: 1, max: 12 }), (numbers, bins) => {
      const rows = answer("histogram", numbers, bins) as { count: number }[];
      expect(sum(rows.map((row) => row.count))).toBe(numbers.length);
    });
  });

  it("gini is half the mean difference, relative to the mean", () => {
    check(amounts, (numbers) => {
      const differences = numbers.flatMap((x) => numbers.map((y) => Math.abs(x - y)));
      const scale = 2 * numbers.length * sum(numbers);
      expect(answer("gini", numbers)).toBeCloseTo(scale === 0 ? 0 : sum(differences) / scale, 5);
    });
  });

  it("moving_average of one value changes nothing", () => {
    check(amounts, (numbers) => {
      expect(answer("moving_average", numbers, 1)).toEqual(numbers);
    });
  });

  it("outliers are the numbers beyond the limits that it returns", () => {
    check(amounts, (numbers) => {
      const { low, high, outliers } = answer("outliers", numbers) as {
        low: number;
        high: number;
        outliers: number[];
      };
      expect(outliers).toEqual(numbers.filter((x) => x < low || x > high));
    });
  });
});

describe("prices", () => {
  it("fair_split distributes everything, each share within one unit of the exact one", () => {
    check(byName(1), fc.nat(1000), (weights, amount) => {
      const shares = valuesOf(answer("fair_split", weights, amount));
      const exact = Object.values(weights).map((w) => (amount * w) / sum(Object.values(weights)));
      expect(sum(shares)).toBe(amount);
      expect(shares.filter((share, place) => Math.abs(share - (exact[place] ?? 0)) >= 1)).toEqual(
        [],
      );
    });
  });

  it("rebalance keeps the sum", () => {
    check(byName(0), byName(1), (holdings, targets) => {
      expect(sum(valuesOf(answer("rebalance", holdings, targets)))).toBe(0);
    });
  });

  it("loan_schedule pays the loan off, period by period", () => {
    const principal = fc.integer({ min: 1, max: 10_000 });
    check(principal, fc.nat(20), fc.integer({ min: 1, max: 40 }), (lent, rate_percent, periods) => {
      const terms = { principal: lent, rate_percent, periods };
      const rows = answer("loan_schedule", terms) as { repaid: number; balance: number }[];
      expect(rows).toHaveLength(periods);
      expect(sum(rows.map((row) => row.repaid))).toBe(lent);
      expect(rows.at(-1)?.balance).toBe(0);
      expect(rows.filter((row) => row.balance < 0)).toEqual([]);
    });
  });

  it("second_price_auction charges the winner the second highest bid", () => {
    check(fc.uniqueArray(fc.nat(99), { minLength: 2, maxLength: 8 }), (offers) => {
      const bids = offers.map((amount) => ({ bidder: `b${amount}`, amount }));
      const [first, second] = offers.toSorted((a, b) => b - a);
      expect(answer("second_price_auction", bids)).toEqual({ winner: `b${first}`, price: second });
    });
  });

  it("reserve_price earns as much as the best of all prices", () => {
    check(amounts, (offers) => {
      const earned = (price: number) => price * offers.filter((offer) => offer >= price).length;
      expect(answer("reserve_price", offers)).toMatchObject({
        revenue: Math.max(...offers.map(earned)),
      });
    });
  });

  it("clearing_price is one that every trader accepts", () => {
    check(amounts, amounts, (bids, asks) => {
      const { price, units } = answer("clearing_price", bids, asks) as {
        price: number | null;
        units: number;
      };
      const at = price ?? 0;
      expect(bids.filter((bid) => bid >= at).length).toBeGreaterThanOrEqual(units);
      expect(asks.filter((ask) => ask <= at).length).toBeGreaterThanOrEqual(units);
    });
  });

  it("net_present_value at no discount is the plain sum", () => {
    check(amounts, (cashflows) => {
      expect(answer("net_present_value", cashflows, 0)).toBe(sum(cashflows));
    });
  });
});

describe("numbers", () => {
  it("base_convert agrees with BigInt and converts back", () => {
    const base = fc.integer({ min: 2, max: 36 });
    check(fc.bigInt({ min: 0n, max: 10n ** 60n }), base, base, (number, from, to) => {
      const converted = answer("base_convert", number.toString(from), from, to);
      expect(converted).toBe(number.toString(to));
    });
  });

  it("primes have themselves as their only factor", () => {
    const primes = answer("primes", 2000) as number[];
    check(fc.integer({ min: 2, max: 2000 }), (number) => {
      const factors = answer("primes.factorise", number) as number[];
      expect(factors.reduce((product, x) => product * x, 1)).toBe(number);
      expect(primes.includes(number)).toBe(factors.length === 1);
    });
  });

  it("gcd times lcm of two numbers is their product", () => {
    const number = fc.integer({ min: 1, max: 5000 });
    check(number, number, (a, b) => {
      const { gcd, lcm } = answer("gcd_lcm", [a, b]) as { gcd: number; lcm: number };
      expect([gcd * lcm, a % gcd, b % gcd]).toEqual([a * b, 0, 0]);
    });
  });

  it("matrix_multiply: the transposed product is the product of the transposed factors in reverse", () => {
    const row = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9));
    check(fc.array(row, { minLength: 1, maxLength: 3 }), fc.tuple(row, row, row), (a, b) => {
      const turned = (matrix: unknown) => answer("matrix_multiply.transpose", matrix);
      expect(turned(answer("matrix_multiply", a, b))).toEqual(
        answer("matrix_multiply", turned(b), turned(a)),
      );
    });
  });

  it("to_fraction finds the closest fraction with such a denominator", () => {
    const number = fc.integer({ min: -3000, max: 3000 }).map((x) => x / 997);
    check(number, fc.integer({ min: 1, max: 40 }), (x, most) => {
      const { numerator, denominator } = answer("to_fraction", x, most) as Record<string, number>;
      const misses = Array.from({ length: most }, (_, at) =>
        Math.abs(x - Math.round(x * (at + 1)) / (at + 1)),
      );
      const miss = Math.abs(x - (numerator ?? 0) / (denominator ?? 0));
      expect(miss).toBeLessThanOrEqual(Math.min(...misses) + 1e-12);
    });
  });
});
