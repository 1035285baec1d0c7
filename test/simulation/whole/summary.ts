import type { WorldReport } from "./whole-world.ts";

/** Adds up the reports of all worlds of one command. */
export class Summary {
  failed = 0;
  readonly #reports: WorldReport[] = [];

  /** Returns the line that is printed for this world. */
  add(report: WorldReport): string {
    this.#reports.push(report);
    const { events, sessions, audits, ends } = report;
    const interruptions = ends.length === 0 ? "no interruption" : ends.join(", ");
    return `${events} events, ${sessions} sessions, ${audits} audits, ${interruptions}`;
  }

  lines(): readonly string[] {
    const all = this.#reports;
    if (all.length === 0) return [];
    const sum = (count: (report: WorldReport) => number): number =>
      all.reduce((total, report) => total + count(report), 0);
    return [
      `${all.length} worlds passed, ${this.failed} failed; ` +
        `${sum(({ repeatable }) => Number(repeatable))} compared with a twin; ` +
        `${sum(({ sessions }) => sessions)} sessions, ${sum(({ events }) => events)} events, ` +
        `${sum(({ audits }) => audits)} audits`,
      `ends: ${counted(all.flatMap(({ ends }) => ends.map((end) => [end, 1] as const)))}`,
      `events: ${counted(all.flatMap(({ kinds }) => [...kinds]))}`,
    ];
  }
}

/** Adds the counts of each key and lists them, largest first. */
const counted = (entries: readonly (readonly [key: string, count: number])[]): string => {
  const totals = new Map<string, number>();
  for (const [key, count] of entries) totals.set(key, (totals.get(key) ?? 0) + count);
  return [...totals]
    .sort(([, one], [, other]) => other - one)
    .map(([key, count]) => `${key} ${count}`)
    .join(", ");
};
