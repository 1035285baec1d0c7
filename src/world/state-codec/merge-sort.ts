type Entries = readonly (readonly [key: string, row: unknown])[];

/** The number of rows that are sorted without a pause. */
const RUN_ROWS = 2_048;

/** Sorts rows by key, in the order of `<`. Yields an empty text where the caller may pause. */
export function* mergeSort(
  keys: readonly string[],
  rows: readonly unknown[],
): Generator<"", Entries> {
  let runs: Entries[] = [];
  for (let at = 0; at < keys.length; at += RUN_ROWS) {
    const run = keys.slice(at, at + RUN_ROWS).map((key, n) => [key, rows[at + n]] as const);
    runs.push(run.sort(([a], [b]) => (a < b ? -1 : 1)));
    yield "";
  }
  while (runs.length > 1) {
    const longer: Entries[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(merged(runs[at] ?? [], runs[at + 1] ?? []));
      yield "";
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

const merged = (left: Entries, right: Entries): Entries => {
  const all: Entries[number][] = [];
  let [l, r] = [0, 0];
  for (let a = left[0], b = right[0]; a !== undefined || b !== undefined; ) {
    if (b === undefined || (a !== undefined && a[0] < b[0])) {
      if (a !== undefined) all.push(a);
      a = left[++l];
    } else {
      all.push(b);
      b = right[++r];
    }
  }
  return all;
};
