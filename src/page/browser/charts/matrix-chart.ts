import { csvLine, sumOf, type TradeNetwork } from "../../../read/index.ts";
import { shortened } from "../../../text/index.ts";
import { countText, numberText } from "../parts/text.ts";
import { type Chart, element, pictureElement, redrawnChart, svgElement } from "./chart.ts";
import { type Picture, rectangle, type Shape } from "./picture.ts";

export type MatrixSpec = {
  readonly title: string;
  readonly note: string;
  readonly network: Pick<TradeNetwork, "nodes" | "edges" | "edge_count">;
  /** Opens the page of a principal. */
  readonly pick?: (id: string) => void;
  /** The principal that a person has searched for. */
  readonly found?: string | null;
};

type Node = TradeNetwork["nodes"][number];

/** On narrow screens fewer principals make the text larger. */
const principalsMax = (): number => (matchMedia("(max-width: 40rem)").matches ? 20 : 44);

/**
 * A chart of payments as a matrix: principals in rows paid the principals in columns. A darker cell
 * means more scrip. The principals with the least trade have one row and one column together, so
 * that the matrix has all payments, of however many principals.
 */
export const matrixChart = (given: MatrixSpec): Chart<MatrixSpec> =>
  redrawnChart(given, {
    draw: drawn,
    files: (spec) => ({
      title: spec.title,
      picture: () => matrixPicture(spec, matrixOf(spec, principalsMax())),
      table: () => flowTable(spec),
    }),
  });

/** All flows of payments as CSV, the largest first. */
export const flowTable = ({ network }: Pick<MatrixSpec, "network">): string =>
  [
    csvLine(["from", "to", "scrip", "payments"]),
    ...network.edges.map(({ from, to, amount, payments }) => csvLine([from, to, amount, payments])),
  ].join("");

/** The nodes by their trade. The found one and its partners come first. */
const sortedNodes = ({ network: { nodes, edges }, found = null }: MatrixSpec): readonly Node[] => {
  const near = new Map<string, number>();
  for (const { from, to, amount } of edges) {
    if (from !== found && to !== found) continue;
    const other = from === found ? to : from;
    near.set(other, (near.get(other) ?? 0) + amount);
  }
  if (found !== null) near.set(found, Number.MAX_SAFE_INTEGER);
  return nodes.toSorted(
    (a, b) =>
      (near.get(b.id) ?? 0) - (near.get(a.id) ?? 0) || b.paid + b.received - a.paid - a.received,
  );
};

type Matrix = ReturnType<typeof matrixOf>;

/** The payments between the first principals, with those of and to all others in the last line. */
export const matrixOf = (spec: MatrixSpec, max: number) => {
  const sorted = sortedNodes(spec);
  const shown = sorted.slice(0, max);
  const others = sorted.slice(max);
  const places = new Map(shown.map(({ id }, at) => [id, at]));
  const size = shown.length + (others.length > 0 ? 1 : 0);
  const amounts = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const payments = new Map<string, number>();
  for (const flow of spec.network.edges) {
    const [row, column] = [places.get(flow.from), places.get(flow.to)];
    const cells = row === undefined ? undefined : amounts[row];
    if (cells === undefined || column === undefined) continue;
    cells[column] = flow.amount;
    payments.set(`${row} ${column}`, flow.payments);
  }
  if (others.length > 0) {
    const last = amounts[shown.length] ?? [];
    for (const [row, { paid }] of shown.entries()) {
      const cells = amounts[row] ?? [];
      cells[shown.length] = Math.max(0, paid - sumOf(cells));
    }
    for (const [column, { received }] of shown.entries()) {
      const known = sumOf(amounts.map((cells) => cells[column] ?? 0));
      last[column] = Math.max(0, received - known);
    }
    const among = sumOf(others.map(({ paid }) => paid)) - sumOf(last);
    last[shown.length] = Math.max(0, among);
  }
  return { shown, others, size, amounts, payments };
};

/** Programs of one owner often differ only at the end of their ids, so the middle is left out. */
const labelOf = (id: string): string => {
  const half = 8;
  return id.length <= 2 * half + 2 ? id : `${shortened(id, half + 1)}${id.slice(-half)}`;
};

const othersLabel = ({ others }: Matrix): string => countText(others.length, "other");

const CELL = 14;
const LABEL = 118;
const TEXT_PX = 10;
/** The text is this far below the top of its row. */
const TEXT_DROP = 10;

export const matrixPicture = ({ title, note }: MatrixSpec, matrix: Matrix): Picture => {
  const { shown, others, size, amounts } = matrix;
  const width = LABEL + CELL * size;
  const place = (at: number): number => LABEL + CELL * at;
  const lines = Array.from({ length: size }, (_, at): Shape[] => {
    const look = { kind: "line", stroke: "--grid", width: 1 } as const;
    const [from, to] = [place(at), width];
    const across = [
      [LABEL, from],
      [to, from],
    ] as const;
    const down = [
      [from, LABEL],
      [from, to],
    ] as const;
    return [
      { ...look, points: across },
      { ...look, points: down },
    ];
  });
  const names = [
    ...shown.map(({ id, agent }) => ({ text: labelOf(id), isItalic: !agent })),
    ...(others.length > 0 ? [{ text: othersLabel(matrix), isItalic: false }] : []),
  ];
  const labels = names.map(({ text, isItalic }, at): Shape[] => {
    const fill = at < shown.length && !isItalic ? "--ink" : "--ink-soft";
    const look = { kind: "text", text, isItalic, size: TEXT_PX, fill } as const;
    return [
      { ...look, at: [LABEL - 4, place(at) + TEXT_DROP], anchor: "end" },
      { ...look, at: [place(at) + TEXT_DROP, LABEL - 4], turn: -90 },
    ];
  });
  // The sums of the others have shades of their own: they would make all other cells pale.
  const isOthers = (at: number): boolean => at === shown.length;
  const all = amounts.flatMap((row, from) => row.map((amount, to) => ({ from, to, amount })));
  const among = all.filter(({ from, to }) => !isOthers(from) && !isOthers(to));
  const sums = all.filter(({ from, to }) => isOthers(from) !== isOthers(to));
  const mostOf = (cells: typeof all): number => Math.max(1, ...cells.map(({ amount }) => amount));
  const [most, mostOfSums] = [mostOf(among), mostOf(sums)];
  const cells = all.flatMap(({ from, to, amount }): Shape[] => {
    if (amount === 0) return [];
    const corner = [place(to) + 1, place(from) + 1] as const;
    const tone = isOthers(from) || isOthers(to) ? "--tone-2" : "--tone-1";
    const share = Math.min(1, Math.sqrt(amount / (tone === "--tone-1" ? most : mostOfSums)));
    return [rectangle(corner, [CELL - 2, CELL - 2], tone, 0.15 + 0.85 * share)];
  });
  return { title, note, width, height: width, shapes: [...lines, ...labels, cells].flat() };
};

/** The width of the chart on the screen for each of its units, so that small ones are not huge. */
const PX_PER_UNIT = 1.25;

const drawn = (spec: MatrixSpec): readonly HTMLElement[] | readonly Element[] => {
  const { network, found = null } = spec;
  const matrix = matrixOf(spec, principalsMax());
  const { shown, others, size } = matrix;
  const picture = matrixPicture(spec, matrix);
  const spoken =
    `Matrix of payments between ${countText(shown.length, "principal")}. ` +
    "Rows pay, columns are paid. Press Tab to go through them, the right and left arrow for " +
    "what each paid, and the down and up arrow for what each received.";
  const svg = pictureElement(picture, { class: "matrix", role: "group", "aria-label": spoken });
  svg.style.maxWidth = `${picture.width * PX_PER_UNIT}px`;
  const band = { class: "matrix-band", visibility: "hidden" };
  const rowBand = svgElement("rect", { ...band, x: 0, width: picture.width, height: CELL });
  const columnBand = svgElement("rect", { ...band, y: 0, width: CELL, height: picture.width });
  const here = svgElement("rect", { class: "matrix-here", width: CELL, height: CELL });
  const summary = element("p", { class: "matrix-summary", "aria-live": "polite" });
  /** Highlights a row and a column, and says what is at their cell. Null: none. */
  const show = (row: number | null, column: number | null): void => {
    const move = (made: SVGElement, name: "x" | "y", at: number | null): void => {
      made.setAttribute("visibility", at === null ? "hidden" : "visible");
      if (at !== null) made.setAttribute(name, String(LABEL + CELL * at));
    };
    move(rowBand, "y", row);
    move(columnBand, "x", column);
    const isCell = row !== null && column !== null && row !== column;
    move(here, "x", isCell ? column : null);
    move(here, "y", isCell ? row : null);
    const one = row ?? column;
    summary.textContent =
      isCell || (row !== null && row === shown.length)
        ? paidText(matrix, row, column ?? row)
        : one === null
          ? ""
          : summaryOf(shown[one]?.id ?? "", network);
  };
  const showFound = (): void => {
    const at = shown.findIndex(({ id }) => id === found);
    show(at < 0 ? null : at, at < 0 ? null : at);
  };
  /** The row and the column at the mouse. Null before the first one, where the names are. */
  const under = (event: MouseEvent): readonly [row: number | null, column: number | null] => {
    const { left, top, width } = svg.getBoundingClientRect();
    const placeAt = (px: number): number | null => {
      const at = Math.floor(((px * picture.width) / width - LABEL) / CELL);
      return at < 0 ? null : Math.min(size - 1, at);
    };
    return [placeAt(event.clientY - top), placeAt(event.clientX - left)];
  };
  svg.addEventListener("mousemove", (event) => show(...under(event)));
  svg.addEventListener("mouseleave", showFound);
  svg.addEventListener("click", (event) => {
    const [row, column] = under(event);
    const id = row === null || column === null ? shown[row ?? column ?? size]?.id : undefined;
    if (id !== undefined) spec.pick?.(id);
  });
  const heads = shown.map((node, at) => {
    let other: number | null = null;
    const head = svgElement("rect", {
      class: "matrix-head",
      tabindex: 0,
      role: "button",
      "data-id": node.id,
      "aria-label": headText(node),
      x: 0,
      y: LABEL + CELL * at,
      width: LABEL,
      height: CELL,
      focus: () => show(at, at),
      blur: () => {
        other = null;
        showFound();
      },
    });
    head.addEventListener("keydown", (event) => {
      const { key } = event;
      const [isRow, step] = STEPS[key] ?? [];
      if (key === "Enter" || key === " ") spec.pick?.(node.id);
      else if (isRow === undefined || step === undefined) return;
      else {
        event.preventDefault();
        const paid = matrix.amounts.map((row, place) =>
          isRow ? matrix.amounts[at]?.[place] : row[at],
        );
        const line = [...paid.keys()].filter((place) => (paid[place] ?? 0) > 0);
        const now = other === null ? -1 : line.indexOf(other);
        const next = now < 0 ? (step > 0 ? 0 : line.length - 1) : now + step;
        other = line[Math.min(line.length - 1, Math.max(0, next))] ?? null;
        if (other !== null) show(isRow ? at : other, isRow ? other : at);
      }
      event.preventDefault();
    });
    return head;
  });
  svg.prepend(rowBand, columnBand);
  svg.append(here, ...heads);
  showFound();
  const cut = cutText(network, others);
  return [...(cut === "" ? [] : [element("p", { class: "chart-note" }, cut)]), svg, summary];
};

/** The keys that go through the payments of a principal: along its row, or down its column. */
const STEPS: { readonly [key: string]: readonly [isRow: boolean, step: 1 | -1] } = {
  ArrowRight: [true, 1],
  ArrowLeft: [true, -1],
  ArrowDown: [false, 1],
  ArrowUp: [false, -1],
};

/** The name has the visible label, so that a person who speaks the label reaches it. */
const headText = ({ id, paid, received, partners }: Node): string => {
  const label = labelOf(id) === id ? "" : `, shown as ${labelOf(id)}`;
  const sums = `received ${numberText(received)}, paid ${numberText(paid)}`;
  return `${id}: ${sums}, ${countText(partners, "partner")}${label}`;
};

/** Says what the last line has, or nothing if there is none. */
const cutText = ({ edges, edge_count }: MatrixSpec["network"], others: readonly Node[]): string => {
  if (others.length === 0) return "";
  const hidden = edge_count - edges.length;
  const flows = hidden > 0 ? `, and the ${countText(hidden, "smallest flow")}` : "";
  return (
    `The last row and column are ${countText(others.length, "other principal")} with the least ` +
    `trade${flows}. The search finds each of them.`
  );
};

const paidText = (matrix: Matrix, row: number, column: number): string => {
  const name = (at: number): string => matrix.shown[at]?.id ?? othersLabel(matrix);
  const amount = matrix.amounts[row]?.[column] ?? 0;
  const payments = matrix.payments.get(`${row} ${column}`);
  const times = payments === undefined ? "" : ` in ${countText(payments, "payment")}`;
  return `${name(row)} paid ${name(column)} ${numberText(amount)} scrip${times}`;
};

const FLOWS_LISTED = 4;

const summaryOf = (id: string, { nodes, edges }: MatrixSpec["network"]): string => {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return "";
  const list = (own: "from" | "to", other: "from" | "to"): string => {
    const largest = edges.filter((edge) => edge[own] === id).slice(0, FLOWS_LISTED);
    const names = largest.map((edge) => `${edge[other]} ${numberText(edge.amount)}`);
    return names.length === 0 ? "" : ` (${names.join(", ")})`;
  };
  return (
    `${id} received ${numberText(node.received)} scrip${list("to", "from")} ` +
    `and paid ${numberText(node.paid)}${list("from", "to")}.`
  );
};
