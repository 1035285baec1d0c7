import { html } from "htm/preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { csvLine, sumOf, type TradeNetwork } from "../../../figures/index.ts";
import { type Picture, rectanglePath, type Shape } from "../../../read/index.ts";
import { countText, numberText, shortened } from "../../../text/index.ts";
import { Chart, elementsOf } from "./chart.ts";

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
  const lines = Array.from({ length: size }, (_, at) => {
    const from = place(at);
    return `M${LABEL} ${from}H${width}M${from} ${LABEL}V${width}`;
  });
  const names = [
    ...shown.map(({ id, agent }) => ({ text: labelOf(id), isItalic: !agent })),
    ...(others.length > 0 ? [{ text: othersLabel(matrix), isItalic: false }] : []),
  ];
  const labels = names.flatMap(({ text, isItalic }, at): readonly Shape[] => {
    const fill = at < shown.length && !isItalic ? "ink" : "ink-soft";
    const look = { kind: "text", text, isItalic, size: TEXT_PX, fill } as const;
    return [
      { ...look, at: [LABEL - 4, place(at) + TEXT_DROP], anchor: "end" },
      { ...look, at: [place(at) + TEXT_DROP, LABEL - 4], turn: -90 },
    ];
  });
  // The sums of the others have shades of their own: they would make all other cells pale.
  const isOthers = (at: number): boolean => at === shown.length;
  const all = amounts.flatMap((row, from) => row.map((amount, to) => ({ from, to, amount })));
  const mostOf = (cells: typeof all): number => Math.max(1, ...cells.map(({ amount }) => amount));
  const most = mostOf(all.filter(({ from, to }) => !isOthers(from) && !isOthers(to)));
  const mostOfSums = mostOf(all.filter(({ from, to }) => isOthers(from) !== isOthers(to)));
  const cells = all.flatMap(({ from, to, amount }): readonly Shape[] => {
    if (amount === 0) return [];
    const d = rectanglePath([place(to) + 1, place(from) + 1], CELL - 2, CELL - 2);
    const isSum = isOthers(from) || isOthers(to);
    const share = Math.min(1, Math.sqrt(amount / (isSum ? mostOfSums : most)));
    const opacity = 0.15 + 0.85 * share;
    return [{ kind: "path", d, fill: isSum ? "tone-2" : "tone-1", opacity }];
  });
  const grid: Shape = { kind: "path", d: lines.join(""), stroke: "grid" };
  return { title, note, width, height: width, shapes: [grid, ...labels, ...cells] };
};

/** The width of the chart on the screen for each of its units, so that small ones are not huge. */
const PX_PER_UNIT = 1.25;

/** The row and the column that are highlighted. Null: none. */
type Here = { readonly row: number | null; readonly column: number | null };

/**
 * A chart of payments as a matrix: principals in rows paid the principals in columns. A darker cell
 * means more scrip. The principals with the least trade have one row and one column together, so
 * that the matrix has all payments, of however many principals.
 */
export const MatrixChart = ({ spec, wide = false }: { spec: MatrixSpec; wide?: boolean }) => {
  const { network, found = null, pick } = spec;
  const { matrix, width, elements } = useMemo(() => {
    const matrix = matrixOf(spec, principalsMax());
    const { shapes, width } = matrixPicture(spec, matrix);
    return { matrix, width, elements: elementsOf(shapes) };
  }, [spec]);
  const { shown, others, size } = matrix;
  const [pointed, point] = useState<Here | null>(null);
  const foundAt = shown.findIndex(({ id }) => id === found);
  const { row, column } =
    pointed ?? (foundAt < 0 ? { row: null, column: null } : { row: foundAt, column: foundAt });
  const isCell = row !== null && column !== null && row !== column;
  const one = row ?? column;
  const summary =
    isCell || (row !== null && row === shown.length)
      ? paidText(matrix, row, column ?? row)
      : one === null
        ? ""
        : summaryOf(shown[one]?.id ?? "", network);
  /** The row and the column at the mouse. Null before the first one, where the names are. */
  const under = ({ clientX, clientY, currentTarget }: MouseEvent): Here => {
    if (!(currentTarget instanceof Element)) return { row: null, column: null };
    const box = currentTarget.getBoundingClientRect();
    const placeAt = (px: number): number | null => {
      const at = Math.floor(((px * width) / box.width - LABEL) / CELL);
      return at < 0 ? null : Math.min(size - 1, at);
    };
    return { row: placeAt(clientY - box.top), column: placeAt(clientX - box.left) };
  };
  const click = (event: MouseEvent): void => {
    const { row, column } = under(event);
    const id = row === null || column === null ? shown[row ?? column ?? size]?.id : undefined;
    if (id !== undefined) pick?.(id);
  };
  const place = (at: number | null): number => LABEL + CELL * (at ?? 0);
  const seen = (isThere: boolean): string => (isThere ? "visible" : "hidden");
  const spoken =
    `Matrix of payments between ${countText(shown.length, "principal")}. ` +
    "Rows pay, columns are paid. Press Tab to go through them, the right and left arrow for " +
    "what each paid, and the down and up arrow for what each received.";
  const cut = cutText(network, others);
  return html`
    <${Chart} ...${spec} wide=${wide} table=${() => flowTable(spec)}
      picture=${() => matrixPicture(spec, matrixOf(spec, principalsMax()))}>
      ${cut !== "" && html`<p class="chart-note">${cut}</p>`}
      <svg class="matrix" viewBox=${`0 0 ${width} ${width}`} role="group" aria-label=${spoken}
        style=${{ maxWidth: `${width * PX_PER_UNIT}px` }} onClick=${click}
        onMouseMove=${(event: MouseEvent) => point(under(event))}
        onMouseLeave=${() => point(null)}>
        <rect class="matrix-band" visibility=${seen(row !== null)} x="0" y=${place(row)}
          width=${width} height=${CELL} />
        <rect class="matrix-band" visibility=${seen(column !== null)} x=${place(column)} y="0"
          width=${CELL} height=${width} />
        ${elements}
        <rect class="matrix-here" visibility=${seen(isCell)} x=${place(column)} y=${place(row)}
          width=${CELL} height=${CELL} />
        ${shown.map(
          (node, at) => html`<${Head} key=${node.id} node=${node} at=${at} matrix=${matrix}
            point=${point} pick=${pick} />`,
        )}
      </svg>
      <p class="matrix-summary" aria-live="polite">${summary}</p>
    <//>
  `;
};

type HeadParts = {
  readonly node: Node;
  readonly at: number;
  readonly matrix: Matrix;
  readonly point: (here: Here | null) => void;
  readonly pick: MatrixSpec["pick"];
};

/** The name of a row, as a button. The arrow keys go through the payments of its principal. */
const Head = ({ node, at, matrix: { amounts }, point, pick }: HeadParts) => {
  const other = useRef<number | null>(null);
  const steer = (event: KeyboardEvent): void => {
    const [isRow, step] = STEPS[event.key] ?? [];
    if (event.key === "Enter" || event.key === " ") pick?.(node.id);
    else if (isRow === undefined || step === undefined) return;
    else {
      const paid = amounts.map((row, place) => (isRow ? amounts[at]?.[place] : row[at]));
      const line = [...paid.keys()].filter((place) => (paid[place] ?? 0) > 0);
      const now = other.current === null ? -1 : line.indexOf(other.current);
      const next = now < 0 ? (step > 0 ? 0 : line.length - 1) : now + step;
      const to = line[Math.min(line.length - 1, Math.max(0, next))] ?? null;
      other.current = to;
      if (to !== null) point(isRow ? { row: at, column: to } : { row: to, column: at });
    }
    event.preventDefault();
  };
  return html`
    <rect class="matrix-head" tabindex="0" role="button" data-id=${node.id}
      aria-label=${headText(node)} x="0" y=${LABEL + CELL * at} width=${LABEL} height=${CELL}
      onKeyDown=${steer} onFocus=${() => point({ row: at, column: at })}
      onBlur=${() => {
        other.current = null;
        point(null);
      }} />
  `;
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
