import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer } from "./shipped.ts";

/** A test that a property holds for 60 random values. */
const holds = <T extends [unknown, ...unknown[]]>(
  title: string,
  ...property: Parameters<typeof fc.property<T>>
) => it(title, () => fc.assert(fc.property(...property), { numRuns: 60 }));

const int = (min: number, max: number) => fc.integer({ min, max });

/** Text that the world accepts: without NUL. */
const anyText = fc
  .string({ unit: "binary", maxLength: 60 })
  .filter((text) => !text.includes("\u0000"));
const letters = fc.string({ unit: fc.constantFrom(..."abcxyz"), maxLength: 12 });
const amounts = fc.array(int(0, 200), { minLength: 1, maxLength: 20 });
const byName = (least: number) =>
  fc.dictionary(letters, int(least, 50), { minKeys: 1, maxKeys: 6 });
const sum = (numbers: readonly number[]) => numbers.reduce((total, x) => total + x, 0);
const valuesOf = (json: unknown) => Object.values(json as Record<string, number>);

describe("encodings", () => {
  for (const name of ["base64", "hex", "run_length", "url_encode", "html_escape"]) {
    holds(`${name} decodes what it encoded`, anyText, (text) => {
      expect(answer(`${name}.decode`, answer(name, text))).toBe(text);
    });
  }

  holds("base64 and hex agree with Node", anyText, (text) => {
    expect(answer("base64", text)).toBe(Buffer.from(text).toString("base64"));
    expect(answer("hex", text)).toBe(Buffer.from(text).toString("hex"));
  });

  holds("crc32 agrees with Node", anyText, (text) => {
    expect(answer("crc32", text)).toBe(crc32(text).toString(16).padStart(8, "0"));
  });

  const key = fc.string({ unit: fc.constantFrom(..."abcXYZ"), minLength: 1, maxLength: 8 });
  holds("vigenere decodes with the same key", anyText, key, (text, each) => {
    expect(answer("vigenere.decode", answer("vigenere", text, each), each)).toBe(text);
  });

  const word = fc.string({ unit: fc.constantFrom(..."ABCXYZ0189"), minLength: 1, maxLength: 8 });
  holds("morse decodes words of letters and digits", fc.array(word, { maxLength: 5 }), (words) => {
    expect(answer("morse.decode", answer("morse", words.join(" ")))).toBe(words.join(" "));
  });
});

describe("readers", () => {
  const field = fc.string({ unit: fc.constantFrom(..."ab \"',;\n"), maxLength: 6 });
  const rows = fc.array(fc.tuple(field, field), { maxLength: 6 });
  const quoted = (text: string) => (/["\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  holds("csv reads quoted and plain fields", rows, fc.constantFrom("\n", "\r\n"), (cells, end) => {
    const lines = [["x", "y"], ...cells].map((row) => row.map(quoted).join(","));
    expect(answer("csv", lines.join(end))).toEqual(cells.map(([x, y]) => ({ x, y })));
  });

  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 });
  const texts = fc.dictionary(name, anyText, { maxKeys: 4, noNullPrototype: true });
  holds("query_string reads what it builds", texts, (values) => {
    expect(answer("query_string", answer("query_string.build", values))).toEqual(values);
  });

  type Rule = "expression" | "number" | "pair" | "group";
  const { expression } = fc.letrec<Record<Rule, string>>((tie) => ({
    expression: fc.oneof({ maxDepth: 4 }, tie("number"), tie("pair"), tie("group")),
    number: int(0, 40).map((n) => (n % 3 === 0 ? `${n}.5` : `${n}`)),
    pair: fc
      .tuple(tie("expression"), fc.constantFrom(" + ", "-", " * ", "/", " % "), tie("expression"))
      .map((parts) => parts.join("")),
    group: tie("expression").map((inner) => `(${inner})`),
  }));
  holds("arithmetic agrees with JavaScript on any expression", expression, (text) => {
    const value: number = new Function(`return ${text}`)();
    fc.pre(Number.isFinite(value) && text.length <= 500);
    expect(answer("arithmetic", text)).toBe(Number(value.toPrecision(12)) + 0);
  });

  const [min, max] = [new Date("0001-01-01"), new Date("9999-12-31")];
  const day = fc.date({ min, max, noInvalidDate: true });
  holds("iso_date agrees with the calendar of JavaScript", day, day, (first, second) => {
    const [from, to] = [first, second].map((each) => each.toISOString().slice(0, 10));
    const weekday = first.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
    expect(answer("iso_date", from)).toMatchObject({ weekday, month: first.getUTCMonth() + 1 });
    const days = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 86_400_000;
    expect(answer("iso_date.days_between", from, to)).toBe(days);
  });

  holds("roman parses every number that it writes", int(1, 3999), (number) => {
    expect(answer("roman.parse", answer("roman", number))).toBe(number);
  });

  const prose = fc.array(letters, { maxLength: 20 });
  holds("wrap keeps words, and lines within the width", prose, int(1, 30), (words, width) => {
    const wrapped = String(answer("wrap", words.join(" "), width));
    const kept = words.filter((word) => word !== "");
    expect(wrapped.split(/\s+/).filter((word) => word !== "")).toEqual(kept);
    const long = wrapped.split("\n").filter((line) => line.length > width && line.includes(" "));
    expect(long).toEqual([]);
  });
});

describe("checks", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 20 });
  holds("luhn detects any changed digit", digits, fc.nat(), int(1, 9), (number, place, shift) => {
    const whole = String(answer("luhn.complete", number));
    const at = place % whole.length;
    const changed = whole.slice(0, at) + ((Number(whole[at]) + shift) % 10) + whole.slice(at + 1);
    expect(answer("luhn", whole)).toMatchObject({ valid: true });
    expect(answer("luhn", changed)).toMatchObject({ valid: false });
  });

  const iban = "GB82WEST12345698765432";
  holds("iban detects any changed digit", int(8, 21), int(1, 9), (at, shift) => {
    const changed = iban.slice(0, at) + ((Number(iban[at]) + shift) % 10) + iban.slice(at + 1);
    expect(answer("iban", changed)).toMatchObject({ valid: false });
  });

  const pairs = fc.string({ unit: fc.constantFrom(..."()[]{}"), maxLength: 10 });
  holds("brackets accepts exactly what becomes empty when pairs are removed", pairs, (text) => {
    let left = text;
    for (let before = ""; before !== left; ) {
      before = left;
      left = left.replace(/\(\)|\[\]|\{\}/g, "");
    }
    expect(answer("brackets", text)).toMatchObject({ valid: left === "" });
  });

  const label = fc.constantFrom("", "-alpha", "-alpha.1", "-beta.2", "-beta.11", "-rc.1");
  const version = fc.tuple(fc.nat(2), fc.nat(2), label).map(([a, b, c]) => `1.${a}.${b}${c}`);
  holds("semver_compare changes its sign if versions are swapped", version, version, (a, b) => {
    const [forth, back] = [answer("semver_compare", a, b), answer("semver_compare", b, a)];
    expect(sum([forth, back].map((each) => valuesOf(each)[0] ?? 1))).toBe(0);
  });

  holds("artifact_id suggests an id that it accepts", anyText, (text) => {
    const { suggestion } = answer("artifact_id", text) as { suggestion: string };
    expect(answer("artifact_id", suggestion)).toMatchObject({ valid: true });
  });
});

describe("distances and orders", () => {
  const distance = (a: string, b: string) => valuesOf(answer("levenshtein", a, b))[0] ?? Number.NaN;

  holds("levenshtein is a distance", letters, letters, letters, (a, b, c) => {
    expect(distance(a, b)).toBe(distance(b, a));
    expect(distance(a, b) === 0).toBe(a === b);
    expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
    expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
  });

  holds("top_k keeps the first entries of the sorted list", byName(0), int(1, 8), (tally, k) => {
    const naive = Object.entries(tally).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const expected = naive.slice(0, k).map(([name, value]) => ({ name, value }));
    expect(answer("top_k", tally, k)).toEqual(expected);
  });

  holds("binary_search agrees with a linear search", amounts, int(0, 200), (numbers, target) => {
    const sorted = numbers.toSorted((a, b) => a - b);
    const index = sorted.filter((x) => x < target).length;
    const found = sorted.includes(target);
    expect(answer("binary_search", sorted, target)).toEqual({ found, index });
  });
});

describe("graphs and choices", () => {
  const edges = fc.uniqueArray(
    fc.tuple(fc.constantFrom(..."abcde"), fc.constantFrom(..."abcde"), int(0, 9)),
    { selector: ([from, to]) => from + to, maxLength: 12 },
  );

  holds("shortest_path agrees with the algorithm of Floyd and Warshall", edges, (graph) => {
    const length = new Map(graph.map(([from, to, each]) => [from + to, each]));
    for (const via of "abcde") {
      for (const from of "abcde") {
        for (const to of "abcde") {
          const detour = (length.get(from + via) ?? Infinity) + (length.get(via + to) ?? Infinity);
          length.set(from + to, Math.min(length.get(from + to) ?? Infinity, detour));
        }
      }
    }
    const best = length.get("ae") ?? Infinity;
    const distance = Number.isFinite(best) ? best : null;
    expect(answer("shortest_path", graph, "a", "e")).toMatchObject({ distance });
  });

  holds("topological_sort puts the start of every edge before its end", edges, (graph) => {
    const forward = graph.filter(([from, to]) => from < to);
    const order = answer("topological_sort", forward) as string[];
    expect(forward.filter(([from, to]) => order.indexOf(from) >= order.indexOf(to))).toEqual([]);
    expect(new Set(order)).toEqual(new Set(forward.flatMap((edge) => edge.slice(0, 2))));
  });

  holds("page_rank gives scores that add up to one", edges, (graph) => {
    fc.pre(graph.length > 0);
    expect(sum(valuesOf(answer("page_rank", graph)))).toBeCloseTo(1, 2);
  });

  const good = fc.record({ name: letters, weight: int(0, 9), value: int(0, 20) });
  const some = fc.array(good, { maxLength: 7 });
  holds("knapsack is as good as the best of all choices", some, int(0, 25), (goods, capacity) => {
    const choices = Array.from({ length: 2 ** goods.length }, (_, mask) =>
      goods.filter((__, place) => (mask >> place) & 1),
    );
    const fitting = choices.filter((each) => sum(each.map((one) => one.weight)) <= capacity);
    const value = Math.max(...fitting.map((each) => sum(each.map((one) => one.value))));
    expect(answer("knapsack", goods, capacity)).toMatchObject({ value });
  });
});

describe("statistics", () => {
  const whole = int(-50, 50);
  const places = fc.uniqueArray(whole, { minLength: 2, maxLength: 10 });
  holds("linear_regression finds the line", whole, whole, places, (slope, intercept, xs) => {
    const points = xs.map((x) => [x, slope * x + intercept]);
    expect(answer("linear_regression", points)).toEqual({ slope, intercept, r_squared: 1 });
  });

  holds("percentile 0, 50 and 100 are minimum, median and maximum", amounts, (numbers) => {
    const { min, median, max } = answer("describe", numbers) as Record<string, number>;
    expect([0, 50, 100].map((p) => answer("percentile", numbers, p))).toEqual([min, median, max]);
    expect([min, max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
  });

  holds("histogram counts every number once", amounts, int(1, 12), (numbers, bins) => {
    const rows = answer("histogram", numbers, bins) as { count: number }[];
    expect(sum(rows.map((row) => row.count))).toBe(numbers.length);
  });

  holds("gini is half the mean difference, relative to the mean", amounts, (numbers) => {
    const differences = numbers.flatMap((x) => numbers.map((y) => Math.abs(x - y)));
    const scale = 2 * numbers.length * sum(numbers);
    expect(answer("gini", numbers)).toBeCloseTo(scale === 0 ? 0 : sum(differences) / scale, 5);
  });

  holds("moving_average of one value changes nothing", amounts, (numbers) => {
    expect(answer("moving_average", numbers, 1)).toEqual(numbers);
  });

  holds("outliers are the numbers beyond the limits that it returns", amounts, (numbers) => {
    type Found = { low: number; high: number; outliers: number[] };
    const { low, high, outliers } = answer("outliers", numbers) as Found;
    expect(outliers).toEqual(numbers.filter((x) => x < low || x > high));
  });
});

describe("prices", () => {
  holds("fair_split distributes everything exactly", byName(1), fc.nat(1000), (weights, amount) => {
    const shares = valuesOf(answer("fair_split", weights, amount));
    const exact = Object.values(weights).map((w) => (amount * w) / sum(Object.values(weights)));
    expect(sum(shares)).toBe(amount);
    expect(shares.filter((share, place) => Math.abs(share - (exact[place] ?? 0)) >= 1)).toEqual([]);
  });

  holds("rebalance keeps the sum", byName(0), byName(1), (holdings, targets) => {
    expect(sum(valuesOf(answer("rebalance", holdings, targets)))).toBe(0);
  });

  const principal = int(1, 10_000);
  const loan = fc.record({ principal, rate_percent: fc.nat(20), periods: int(1, 40) });
  holds("loan_schedule pays the loan off, period by period", loan, (terms) => {
    const rows = answer("loan_schedule", terms) as { repaid: number; balance: number }[];
    expect(rows).toHaveLength(terms.periods);
    expect(sum(rows.map((row) => row.repaid))).toBe(terms.principal);
    expect(rows.at(-1)?.balance).toBe(0);
    expect(rows.filter((row) => row.balance < 0)).toEqual([]);
  });

  const rivals = fc.uniqueArray(fc.nat(99), { minLength: 2, maxLength: 8 });
  holds("second_price_auction charges the winner the second highest bid", rivals, (offers) => {
    const bids = offers.map((amount) => ({ bidder: `b${amount}`, amount }));
    const [first, second] = offers.toSorted((a, b) => b - a);
    expect(answer("second_price_auction", bids)).toEqual({ winner: `b${first}`, price: second });
  });

  holds("reserve_price earns as much as the best of all prices", amounts, (offers) => {
    const earned = (price: number) => price * offers.filter((offer) => offer >= price).length;
    const revenue = Math.max(...offers.map(earned));
    expect(answer("reserve_price", offers)).toMatchObject({ revenue });
  });

  holds("clearing_price is one that every trader accepts", amounts, amounts, (bids, asks) => {
    type Found = { price: number | null; units: number };
    const { price, units } = answer("clearing_price", bids, asks) as Found;
    const at = price ?? 0;
    expect(bids.filter((bid) => bid >= at).length).toBeGreaterThanOrEqual(units);
    expect(asks.filter((ask) => ask <= at).length).toBeGreaterThanOrEqual(units);
  });

  holds("net_present_value at no discount is the plain sum", amounts, (cashflows) => {
    expect(answer("net_present_value", cashflows, 0)).toBe(sum(cashflows));
  });
});

describe("numbers", () => {
  const base = int(2, 36);
  const large = fc.bigInt({ min: 0n, max: 10n ** 60n });
  holds("base_convert agrees with BigInt", large, base, base, (number, from, to) => {
    expect(answer("base_convert", number.toString(from), from, to)).toBe(number.toString(to));
  });

  const primes = answer("primes", 2000) as number[];
  holds("primes have themselves as their only factor", int(2, 2000), (number) => {
    const factors = answer("primes.factorise", number) as number[];
    expect(factors.reduce((product, x) => product * x, 1)).toBe(number);
    expect(primes.includes(number)).toBe(factors.length === 1);
  });

  const number = int(1, 5000);
  holds("gcd times lcm of two numbers is their product", number, number, (a, b) => {
    const { gcd, lcm } = answer("gcd_lcm", [a, b]) as { gcd: number; lcm: number };
    expect([gcd * lcm, a % gcd, b % gcd]).toEqual([a * b, 0, 0]);
  });

  const row = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9));
  const matrix = fc.array(row, { minLength: 1, maxLength: 3 });
  const square = fc.tuple(row, row, row);
  holds("matrix_multiply of transposed factors is transposed", matrix, square, (a, b) => {
    const turned = (matrix: unknown) => answer("matrix_multiply.transpose", matrix);
    expect(turned(answer("matrix_multiply", a, b))).toEqual(
      answer("matrix_multiply", turned(b), turned(a)),
    );
  });

  const decimal = int(-3000, 3000).map((x) => x / 997);
  holds("to_fraction finds the closest fraction", decimal, int(1, 40), (x, most) => {
    const { numerator, denominator } = answer("to_fraction", x, most) as Record<string, number>;
    const misses = Array.from({ length: most }, (_, at) =>
      Math.abs(x - Math.round(x * (at + 1)) / (at + 1)),
    );
    const miss = Math.abs(x - (numerator ?? 0) / (denominator ?? 0));
    expect(miss).toBeLessThanOrEqual(Math.min(...misses) + 1e-12);
  });
});
