import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";
import type { TradeEdge, TradeNetwork, TradeNode } from "../../../read/index.ts";
import { shortened } from "../../../text/index.ts";

export type PlacedNode = SimulationNodeDatum & {
  readonly node: TradeNode;
  readonly radius: number;
};
export type DrawnFlow = {
  readonly edge: TradeEdge;
  readonly source: PlacedNode;
  readonly target: PlacedNode;
};

/** How programs look in a network, for its note. */
export const PROGRAMS_NOTE = "Grey nodes are programs.";

const TICKS = 240;
const MARGIN = 26;
/** Half of the longest label. */
const MARGIN_ACROSS = 56;

/** The size of the chart in SVG units, and how much can be drawn on it legibly. */
type Size = {
  readonly width: number;
  readonly height: number;
  readonly nodesMax: number;
  readonly linksMax: number;
};

/** On narrow screens a smaller size makes the text larger. */
export const sizeNow = (): Size =>
  matchMedia("(max-width: 40rem)").matches
    ? { width: 420, height: 460, nodesMax: 35, linksMax: 100 }
    : { width: 760, height: 520, nodesMax: 70, linksMax: 260 };

export type NetworkLayout = {
  readonly places: readonly PlacedNode[];
  readonly links: readonly DrawnFlow[];
  readonly size: Size;
};

type Network = Pick<TradeNetwork, "nodes" | "edges">;

/**
 * The nodes to draw: those that paid and received the most. A `found` node and its partners come
 * first.
 */
export const nodesToDraw = (
  { nodes, edges }: Network,
  { max, found }: { readonly max: number; readonly found: string | null },
): readonly TradeNode[] => {
  const near = new Map<string, number>();
  for (const { from, to, amount } of found === null ? [] : edges) {
    if (from !== found && to !== found) continue;
    const other = from === found ? to : from;
    near.set(other, (near.get(other) ?? 0) + amount);
  }
  if (found !== null) near.set(found, Number.POSITIVE_INFINITY);
  const moved = ({ paid, received }: TradeNode): number => paid + received;
  const nearness = ({ id }: TradeNode): number => near.get(id) ?? 0;
  return nodes
    .toSorted((a, b) => {
      // Infinity minus itself is not a number.
      const [one, other] = [nearness(a), nearness(b)];
      return one === other ? moved(b) - moved(a) : other - one;
    })
    .slice(0, max);
};

type Wanted = { readonly size: Size; readonly found: string | null };

export const laidOut = (
  { nodes, edges }: Network,
  known: ReadonlyMap<string, PlacedNode>,
  { size, found }: Wanted,
): NetworkLayout => {
  const shown = nodesToDraw({ nodes, edges }, { max: size.nodesMax, found });
  const most = Math.max(1, ...shown.map(({ received }) => received));
  const places = shown.map((node): PlacedNode => {
    const { x, y } = known.get(node.id) ?? {};
    const radius = 5 + 15 * Math.sqrt(node.received / most);
    return { node, radius, ...(x === undefined || y === undefined ? {} : { x, y }) };
  });
  const byId = new Map(places.map((place) => [place.node.id, place]));
  const all = edges.flatMap((edge): DrawnFlow[] => {
    const [source, target] = [byId.get(edge.from), byId.get(edge.to)];
    return source === undefined || target === undefined ? [] : [{ edge, source, target }];
  });
  const links = all.slice(0, size.linksMax);
  forceSimulation(places)
    .force("link", forceLink<PlacedNode, DrawnFlow>(links).distance(90).strength(strengthOf(links)))
    .force("charge", forceManyBody().strength(-360))
    .force(
      "collide",
      forceCollide<PlacedNode>(({ radius }) => radius + 10),
    )
    .force("x", forceX(0).strength(0.11))
    .force("y", forceY(0).strength(0.16))
    .stop()
    .tick(known.size === 0 ? TICKS : TICKS / 4);
  fit(places, size);
  return { places, links, size };
};

const strengthOf = (links: readonly DrawnFlow[]): ((link: DrawnFlow) => number) => {
  const most = Math.max(1, ...links.map(({ edge }) => edge.amount));
  return ({ edge }) => 0.02 + 0.3 * Math.sqrt(edge.amount / most);
};

const fit = (places: readonly PlacedNode[], { width, height }: Size): void => {
  const span = (values: readonly number[]): [number, number] => [
    Math.min(...values),
    Math.max(...values),
  ];
  const [left, right] = span(places.map(({ x = 0 }) => x));
  const [top, bottom] = span(places.map(({ y = 0 }) => y));
  const across = Math.max(1, right - left);
  const down = Math.max(1, bottom - top);
  for (const place of places) {
    place.x = MARGIN_ACROSS + ((place.x ?? 0) - left) * ((width - 2 * MARGIN_ACROSS) / across);
    place.y = MARGIN + ((place.y ?? 0) - top) * ((height - 2 * MARGIN - 14) / down);
  }
};

const LABEL_CHARS = 18;
/** The approximate width of a character of a label, and the height of a label, in SVG units. */
const CHAR_WIDTH = 6;
const LABEL_HEIGHT = 13;

/** Programs of one owner often differ only at the end of their ids, so the middle is left out. */
export const labelOf = ({ id }: TradeNode): string => {
  if (id.length <= LABEL_CHARS) return id;
  const half = (LABEL_CHARS - 1) >> 1;
  return `${shortened(id, half + 1)}${id.slice(-half)}`;
};

/** The nodes whose labels overlap no label of an earlier node. The nodes are sorted by trade. */
export const labelledAmong = (places: readonly PlacedNode[]): ReadonlySet<PlacedNode> => {
  const labelled = new Set<PlacedNode>();
  const widthOf = ({ node }: PlacedNode): number => labelOf(node).length * CHAR_WIDTH;
  const overlaps = (one: PlacedNode, other: PlacedNode): boolean => {
    const across = Math.abs((one.x ?? 0) - (other.x ?? 0));
    const down = Math.abs((one.y ?? 0) + one.radius - (other.y ?? 0) - other.radius);
    return across < (widthOf(one) + widthOf(other)) / 2 && down < LABEL_HEIGHT;
  };
  for (const place of places) {
    if (![...labelled].some((each) => overlaps(each, place))) labelled.add(place);
  }
  return labelled;
};
