/** What one agent started with, and its final scrip in each run. */
export type WealthRow = {
  readonly agent: string;
  readonly strategy: string;
  readonly start: number;
  readonly ends: readonly number[];
};

const WIDTH = 860;
const LEFT = 210;
const RIGHT = 30;
const TOP = 64;
const ROW = 26;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const label = (x: number, y: number, text: string, more = ""): string =>
  `<text x="${x}" y="${y}" ${more}>${text}</text>`;

/**
 * An SVG strip chart: one row per agent, one dot per run at the agent's final scrip, a bar at the
 * median and a ring at its starting scrip. Rows are ordered by median, richest first.
 */
export const wealthChart = (rows: readonly WealthRow[], title: string): string => {
  const sorted = [...rows].sort((a, b) => median(b.ends) - median(a.ends));
  const most = Math.max(...rows.flatMap(({ start, ends }) => [start, ...ends]));
  const top = Math.ceil(most / 100) * 100;
  const bottom = TOP + sorted.length * ROW;
  const x = (scrip: number): number => Math.round(LEFT + ((WIDTH - LEFT - RIGHT) * scrip) / top);
  const grid = Array.from({ length: top / 100 + 1 }, (_, step) => step * 100).map(
    (scrip) =>
      `<line x1="${x(scrip)}" x2="${x(scrip)}" y1="${TOP - 8}" y2="${bottom}" stroke="#e3e3de"/>` +
      label(x(scrip), bottom + 20, String(scrip), 'text-anchor="middle" class="faint"'),
  );
  const strips = sorted.map(({ agent, strategy, start, ends }, row) => {
    const y = TOP + row * ROW + 9;
    const dots = ends.map(
      (end) => `<circle cx="${x(end)}" cy="${y}" r="4" fill="#1f5fc4" fill-opacity="0.35"/>`,
    );
    const middle = x(median(ends));
    return [
      label(
        LEFT - 16,
        y + 4,
        `${agent} <tspan class="faint">${strategy}</tspan>`,
        'text-anchor="end"',
      ),
      ...dots,
      `<line x1="${middle}" x2="${middle}" y1="${y - 9}" y2="${y + 9}" stroke="#14213d" stroke-width="2"/>`,
      `<circle cx="${x(start)}" cy="${y}" r="5" fill="none" stroke="#c2410c" stroke-width="2"/>`,
    ].join("");
  });
  const height = bottom + 48;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${title}</title>`,
    "<style>text{font:13px system-ui,sans-serif;fill:#1c1c1a}.faint{fill:#6b6b66}.head{font-weight:600;font-size:15px}</style>",
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    label(16, 26, title, 'class="head"'),
    label(16, 46, "Dot: one run. Bar: median. Ring: starting scrip.", 'class="faint"'),
    ...grid,
    ...strips,
    label(
      WIDTH - RIGHT,
      bottom + 40,
      "scrip at the end of the run",
      'text-anchor="end" class="faint"',
    ),
    "</svg>",
    "",
  ].join("\n");
};
