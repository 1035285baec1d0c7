import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";
import type { TradeEdge, TradeNetwork, TradeNode } from "../../metrics/trade-network.ts";
import { numberText } from "../parts/text.ts";
import { type Chart, element, shape, statelessChart } from "./chart.ts";

export type NetworkSpec = {
  readonly title: string;
  readonly note: string;
  readonly network: Pick<TradeNetwork, "nodes" | "edges">;
  readonly pick?: ((id: string) => void) | undefined;
};

type Place = SimulationNodeDatum & { readonly node: TradeNode; readonly radius: number };
type Link = { readonly edge: TradeEdge; readonly source: Place; readonly target: Place };

/** The maximum number of nodes. This many nodes are laid out in a fraction of a second. */
const NODES_MAX = 120;
const TICKS = 240;
const MARGIN = 26;

type Size = { readonly width: number; readonly height: number };

/** The size of the chart in SVG units. On narrow screens a smaller size makes the text larger. */
const sizeNow = (): Size =>
  matchMedia("(max-width: 40rem)").matches
    ? { width: 420, height: 460 }
    : { width: 760, height: 520 };

/**
 * A chart of payments between the principals that paid and received the most scrip. Principals that
 * trade more with each other are closer. A larger node has received more scrip. A wider line means
 * more scrip paid. Hovering or focusing a node highlights its trade.
 */
export const networkChart = (given: NetworkSpec): Chart<NetworkSpec> => {
  const known = new Map<string, Place>();
  return statelessChart(given, (spec) => {
    const size = sizeNow();
    const { places, links } = laidOut(spec.network, known, size);
    known.clear();
    for (const place of places) known.set(place.node.id, place);
    const summary = element("p", { class: "network-summary", "aria-live": "polite" });
    const hidden = spec.network.nodes.length - places.length;
    const cut = `The ${hidden} principals with the least trade are not shown.`;
    return [
      ...(hidden > 0 ? [element("p", { class: "chart-note" }, cut)] : []),
      drawn({ places, links, size }, summary, spec.pick ?? (() => {})),
      summary,
    ];
  });
};

type Layout = {
  readonly places: readonly Place[];
  readonly links: readonly Link[];
  readonly size: Size;
};

const laidOut = (
  { nodes, edges }: NetworkSpec["network"],
  known: ReadonlyMap<string, Place>,
  size: Size,
): Layout => {
  const moved = ({ paid, received }: TradeNode): number => paid + received;
  const shown = [...nodes].sort((a, b) => moved(b) - moved(a)).slice(0, NODES_MAX);
  const most = Math.max(1, ...shown.map(({ received }) => received));
  const places = shown.map((node): Place => {
    const { x, y } = known.get(node.id) ?? {};
    const radius = 5 + 15 * Math.sqrt(node.received / most);
    return { node, radius, ...(x === undefined || y === undefined ? {} : { x, y }) };
  });
  const byId = new Map(places.map((place) => [place.node.id, place]));
  const links = edges.flatMap((edge): Link[] => {
    const [source, target] = [byId.get(edge.from), byId.get(edge.to)];
    return source === undefined || target === undefined ? [] : [{ edge, source, target }];
  });
  forceSimulation(places)
    .force("link", forceLink<Place, Link>(links).distance(90).strength(strengthOf(links)))
    .force("charge", forceManyBody().strength(-360))
    .force(
      "collide",
      forceCollide<Place>(({ radius }) => radius + 10),
    )
    .force("x", forceX(0).strength(0.11))
    .force("y", forceY(0).strength(0.16))
    .stop()
    .tick(known.size === 0 ? TICKS : TICKS / 4);
  fit(places, size);
  return { places, links, size };
};

const strengthOf = (links: readonly Link[]): ((link: Link) => number) => {
  const most = Math.max(1, ...links.map(({ edge }) => edge.amount));
  return ({ edge }) => 0.02 + 0.3 * Math.sqrt(edge.amount / most);
};

const fit = (places: readonly Place[], { width, height }: Size): void => {
  const span = (values: readonly number[]): [number, number] => [
    Math.min(...values),
    Math.max(...values),
  ];
  const [left, right] = span(places.map(({ x = 0 }) => x));
  const [top, bottom] = span(places.map(({ y = 0 }) => y));
  const across = Math.max(1, right - left);
  const down = Math.max(1, bottom - top);
  for (const place of places) {
    place.x = MARGIN + ((place.x ?? 0) - left) * ((width - 2 * MARGIN) / across);
    place.y = MARGIN + ((place.y ?? 0) - top) * ((height - 2 * MARGIN - 14) / down);
  }
};

const drawn = (
  { places, links, size }: Layout,
  summary: HTMLElement,
  pick: (id: string) => void,
) => {
  const spoken =
    `Trade network: ${places.length} principals and ${links.length} flows of payments. ` +
    "Press Tab to go through them.";
  const svg = shape("svg", {
    class: "network",
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: "group",
    "aria-label": spoken,
  });
  const most = Math.max(1, ...links.map(({ edge }) => edge.amount));
  const drawnLinks = links.map((link) => ({ link, line: drawnLink(link, most) }));
  const drawnNodes = places.map((place) => ({ place, group: drawnNode(place, pick) }));
  const show = (id: string | null): void => {
    svg.classList.toggle("has-focus", id !== null);
    const near = new Set([id]);
    for (const { link, line } of drawnLinks) {
      const { from, to } = link.edge;
      const isNear = from === id || to === id;
      line.classList.toggle("is-near", isNear);
      if (isNear) near.add(from).add(to);
    }
    for (const { place, group } of drawnNodes) {
      group.classList.toggle("is-near", near.has(place.node.id));
    }
    summary.textContent = id === null ? "" : summaryOf(id, links, places);
  };
  for (const { place, group } of drawnNodes) {
    const [enter, leave] = [() => show(place.node.id), () => show(null)];
    for (const name of ["focus", "pointerenter"]) group.addEventListener(name, enter);
    for (const name of ["blur", "pointerleave"]) group.addEventListener(name, leave);
  }
  svg.append(...drawnLinks.map(({ line }) => line), ...drawnNodes.map(({ group }) => group));
  return svg;
};

/** Draws a link as an arc, so that payments in opposite directions do not overlap. */
const drawnLink = ({ source, target, edge }: Link, most: number): SVGElement => {
  const { x: x1 = 0, y: y1 = 0 } = source;
  const { x: x2 = 0, y: y2 = 0 } = target;
  const bend = 0.12;
  const [mx, my] = [(x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend];
  return shape("path", {
    class: "network-edge",
    d: `M${x1} ${y1} Q${mx} ${my} ${x2} ${y2}`,
    "stroke-width": 0.75 + 5 * Math.sqrt(edge.amount / most),
  });
};

const LABEL_CHARS = 18;

const drawnNode = ({ node, radius, x = 0, y = 0 }: Place, pick: (id: string) => void) => {
  const { id, agent, paid, received, partners } = node;
  const name = id.length > LABEL_CHARS ? `${id.slice(0, LABEL_CHARS - 1)}…` : id;
  const group = shape(
    "g",
    {
      class: agent ? "network-node" : "network-node is-program",
      tabindex: 0,
      role: "button",
      "aria-label":
        `${id}: received ${numberText(received)}, paid ${numberText(paid)}, ` +
        `${partners} partners`,
      transform: `translate(${x} ${y})`,
      click: () => pick(id),
    },
    shape("circle", { r: radius }),
    agent || radius > 9 ? shape("text", { y: radius + 11 }, name) : null,
  );
  group.addEventListener("keydown", ({ key }) => {
    if (key === "Enter" || key === " ") pick(id);
  });
  return group;
};

const FLOWS_LISTED = 4;

const summaryOf = (id: string, links: readonly Link[], places: readonly Place[]): string => {
  const node = places.find((place) => place.node.id === id)?.node;
  if (node === undefined) return "";
  const flows = links.map(({ edge }) => edge).sort((a, b) => b.amount - a.amount);
  const list = (own: "from" | "to", other: "from" | "to"): string => {
    const largest = flows.filter((edge) => edge[own] === id).slice(0, FLOWS_LISTED);
    const names = largest.map((edge) => `${edge[other]} ${numberText(edge.amount)}`);
    return names.length === 0 ? "" : ` (${names.join(", ")})`;
  };
  return (
    `${id} received ${numberText(node.received)} scrip${list("to", "from")} ` +
    `and paid ${numberText(node.paid)}${list("from", "to")}.`
  );
};
