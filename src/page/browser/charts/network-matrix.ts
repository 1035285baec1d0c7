import type { TradeNetwork } from "../../../read/index.ts";
import { countText, numberText } from "../parts/text.ts";
import { type Chart, element, shape } from "./chart.ts";
import { cutText, shownAs, summaryOf } from "./network-chart.ts";
import { labelOf, nodesToDraw } from "./network-layout.ts";
import { matrixFiles } from "./saving/network-files.ts";
import { type NetworkSpec, withPayments } from "./specs.ts";
import { statelessChart } from "./stateless-chart.ts";

const CELL = 14;
const LABEL = 118;
/** The text is this far below the top of its row. */
const TEXT_DROP = 10;

/** On narrow screens fewer principals make the text larger. */
const principalsMax = (): number => (matchMedia("(max-width: 40rem)").matches ? 20 : 44);

/**
 * A chart of payments as a matrix: principals in rows paid the principals in columns. A darker cell
 * means more scrip. It stays readable with more principals than a network.
 */
export const networkMatrix = (given: NetworkSpec): Chart<NetworkSpec> => {
  const titled = (spec: NetworkSpec): NetworkSpec => ({ ...spec, note: withPayments(spec, NOTE) });
  const chart = statelessChart(titled(given), {
    draw: matrixOf,
    files: (spec) => matrixFiles(spec, principalsMax()),
  });
  return { ...chart, update: (spec) => chart.update(titled(spec)) };
};

const NOTE =
  "Principals in rows paid the principals in columns. Darker cells carried more scrip. " +
  "Programs are in italics.";

/** The width of the chart on the screen for each of its units, so that small ones are not huge. */
const PX_PER_UNIT = 1.25;

const matrixOf = (spec: NetworkSpec): readonly Node[] => {
  const { network, found = null } = spec;
  const nodes = nodesToDraw(network, { max: principalsMax(), found });
  const summary = element("p", { class: "network-summary", "aria-live": "polite" });
  const tell = (id: string | null): void => {
    summary.textContent = id === null ? "" : summaryOf(id, network);
  };
  if (found !== null) tell(found);
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const flows = network.edges.filter(({ from, to }) => places.has(from) && places.has(to));
  const cut = cutText(network, { nodes: nodes.length, flows: flows.length });
  const cells = cellsOf(flows, places);
  const { point, move } = cellsByKey(flows, { cells, places, summary });
  const heads = nodes.map((node, at) => headOf(node, at, nodes.length));
  const columns = nodes.map(columnNameOf);
  for (const [at, head] of heads.entries()) {
    const id = nodes[at]?.id ?? "";
    head.classList.toggle("is-found", id === found);
    const pick = (): void => spec.pick?.(id);
    head.addEventListener("click", pick);
    head.addEventListener("keydown", (event) => {
      const { key } = event;
      const [own, step] = STEPS[key] ?? [];
      if (key === "Enter" || key === " ") pick();
      else if (own !== undefined) move(id, own, step);
      else return;
      event.preventDefault();
    });
    const column = columns[at];
    column?.addEventListener("click", pick);
    for (const name of ["focus", "pointerenter"]) head.addEventListener(name, () => tell(id));
    for (const [name, isOver] of Object.entries({ pointerenter: true, pointerleave: false })) {
      column?.addEventListener(name, () => {
        head.classList.toggle("is-near", isOver);
        tell(isOver ? id : found);
      });
    }
    for (const name of ["blur", "pointerleave"]) {
      head.addEventListener(name, () => {
        point(null);
        tell(found);
      });
    }
  }
  const size = LABEL + CELL * nodes.length;
  const svg = shape(
    "svg",
    { class: "matrix", viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": spoken(nodes) },
    ...nodes.flatMap((_, at) => linesAt(at, size)),
    ...heads,
    ...columns,
    ...cells,
  );
  svg.style.maxWidth = `${size * PX_PER_UNIT}px`;
  return [...(cut === "" ? [] : [element("p", { class: "chart-note" }, cut)]), svg, summary];
};

type Flow = TradeNetwork["edges"][number];

/** The keys that go through the payments of a principal: along its row, or down its column. */
const STEPS: { readonly [key: string]: readonly [own: "from" | "to", step: 1 | -1] } = {
  ArrowRight: ["from", 1],
  ArrowLeft: ["from", -1],
  ArrowDown: ["to", 1],
  ArrowUp: ["to", -1],
};

type CellParts = {
  readonly cells: readonly SVGElement[];
  readonly places: ReadonlyMap<string, number>;
  /** Gets the text of the cell. */
  readonly summary: HTMLElement;
};

/** Chooses a cell by keys, from the row or the column of the name that has the focus. */
const cellsByKey = (flows: readonly Flow[], { cells, places, summary }: CellParts) => {
  let here: Flow | null = null;
  const point = (flow: Flow | null): void => {
    here = flow;
    for (const [at, cell] of cells.entries()) {
      cell.classList.toggle("is-here", flow !== null && flows[at] === flow);
    }
    if (flow !== null) summary.textContent = paidText(flow);
  };
  const move = (id: string, own: "from" | "to", step = 1): void => {
    const other = own === "from" ? "to" : "from";
    const placeOf = (flow: Flow): number => places.get(flow[other]) ?? 0;
    const line = flows
      .filter((flow) => flow[own] === id)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    const at = here === null ? -1 : line.indexOf(here);
    const next = at < 0 ? (step > 0 ? 0 : line.length - 1) : at + step;
    const flow = line[Math.min(line.length - 1, Math.max(0, next))];
    if (flow !== undefined) point(flow);
  };
  return { point, move };
};

const spoken = (nodes: readonly object[]): string =>
  `Matrix of payments between ${countText(nodes.length, "principal")}. ` +
  "Rows pay, columns are paid. Press Tab to go through them, the right and left arrow for " +
  "what each paid, and the down and up arrow for what each received.";

const linesAt = (at: number, size: number): readonly SVGElement[] => {
  const place = LABEL + CELL * at;
  const line = { class: "matrix-line" };
  return [
    shape("line", { ...line, x1: LABEL, x2: size, y1: place, y2: place }),
    shape("line", { ...line, y1: LABEL, y2: size, x1: place, x2: place }),
  ];
};

/** The name of a column. A screen reader and the keyboard find the principal at its row. */
const columnNameOf = (node: TradeNetwork["nodes"][number], at: number): SVGElement => {
  const place = LABEL + CELL * at + TEXT_DROP;
  const turned = `rotate(-90) translate(${-LABEL + 4} ${place})`;
  return shape(
    "g",
    { class: node.agent ? "matrix-name" : "matrix-name is-program", "aria-hidden": "true" },
    shape("text", { transform: turned }, labelOf(node)),
  );
};

/** The name of a row, and the bands that highlight the row and its column together. */
const headOf = (node: TradeNetwork["nodes"][number], at: number, count: number): SVGElement => {
  const place = LABEL + CELL * at;
  const { id, agent } = node;
  const name = labelOf(node);
  const band = { class: "matrix-band", width: LABEL + CELL * count, height: CELL };
  const text = { "text-anchor": "end", x: LABEL - 4, y: place + TEXT_DROP };
  return shape(
    "g",
    {
      class: agent ? "matrix-head" : "matrix-head is-program",
      tabindex: 0,
      role: "button",
      "data-id": id,
      "aria-label": id + shownAs(node),
    },
    shape("rect", { ...band, x: 0, y: place }),
    shape("rect", { ...band, x: place, y: 0, width: CELL, height: LABEL + CELL * count }),
    shape("text", text, name),
  );
};

const cellsOf = (
  flows: TradeNetwork["edges"],
  places: ReadonlyMap<string, number>,
): readonly SVGElement[] => {
  const most = Math.max(1, ...flows.map(({ amount }) => amount));
  return flows.map(({ from, to, amount, payments }) =>
    shape(
      "rect",
      {
        class: "matrix-cell",
        x: LABEL + CELL * (places.get(to) ?? 0) + 1,
        y: LABEL + CELL * (places.get(from) ?? 0) + 1,
        width: CELL - 2,
        height: CELL - 2,
        "fill-opacity": 0.15 + 0.85 * Math.sqrt(amount / most),
      },
      shape("title", {}, paidText({ from, to, amount, payments })),
    ),
  );
};

const paidText = ({ from, to, amount, payments }: Flow): string =>
  `${from} paid ${to} ${numberText(amount)} scrip in ${countText(payments, "payment")}`;
