import type { TradeNetwork } from "../../../read/index.ts";
import { countText, numberText } from "../parts/text.ts";
import { type Chart, element, shape } from "./chart.ts";
import {
  type DrawnFlow,
  labelledAmong,
  labelOf,
  laidOut,
  type NetworkLayout,
  type PlacedNode,
  sizeNow,
} from "./network-layout.ts";
import { networkFiles } from "./saving/network-files.ts";
import type { NetworkSpec } from "./specs.ts";
import { statelessChart } from "./stateless-chart.ts";

/**
 * A chart of payments between the principals that paid and received the most scrip. Principals that
 * trade more with each other are closer. A larger node has received more scrip. A wider line means
 * more scrip paid, in the direction of its arrow. Hovering or focusing a node highlights its trade,
 * with other colours for what it paid and what it received.
 */
export const networkChart = (given: NetworkSpec): Chart<NetworkSpec> => {
  const known = new Map<string, PlacedNode>();
  let layout: NetworkLayout = { places: [], links: [], size: sizeNow() };
  const draw = (spec: NetworkSpec): readonly Node[] => {
    const size = sizeNow();
    const { found = null } = spec;
    layout = laidOut(spec.network, known, { size, found });
    const { places, links } = layout;
    known.clear();
    for (const place of places) known.set(place.node.id, place);
    const summary = element("p", { class: "network-summary", "aria-live": "polite" });
    const show = (id: string | null): void => {
      summary.textContent = id === null ? "" : summaryOf(id, spec.network);
    };
    const cut = cutText(spec.network, { nodes: places.length, flows: links.length });
    return [
      ...(cut === "" ? [] : [element("p", { class: "chart-note" }, cut)]),
      drawn({ places, links, size }, { tell: show, pick: spec.pick ?? (() => {}), found }),
      summary,
    ];
  };
  return statelessChart(given, { draw, files: (spec) => networkFiles(spec, layout) });
};

/** Says how many principals and flows are not drawn, or nothing if all are. */
export const cutText = (
  { nodes, edge_count }: NetworkSpec["network"],
  drawn: { readonly nodes: number; readonly flows: number },
): string => {
  const [hidden, flows] = [nodes.length - drawn.nodes, edge_count - drawn.flows];
  const principals = `the ${countText(hidden, "principal")} with the least trade`;
  const parts = [...(hidden > 0 ? [principals] : []), ...(flows > 0 ? [smaller(flows)] : [])];
  return parts.length === 0 ? "" : `Not shown: ${parts.join(", ")}.`;
};

const smaller = (flows: number): string => countText(flows, "smaller flow");

type Listeners = {
  readonly tell: (id: string | null) => void;
  readonly pick: (id: string) => void;
  readonly found: string | null;
};

const drawn = ({ places, links, size }: NetworkLayout, { tell, pick, found }: Listeners) => {
  const spoken =
    `Trade network: ${countText(places.length, "principal")} and ` +
    `${countText(links.length, "flow")} of payments. ` +
    "Press Tab to go through them.";
  const svg = shape("svg", {
    class: "network",
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: "group",
    "aria-label": spoken,
  });
  const most = Math.max(1, ...links.map(({ edge }) => edge.amount));
  const drawnLinks = links.map((link) => ({ link, line: drawnLink(link, most) }));
  const labelled = labelledAmong(places);
  const drawnNodes = places.map((place) => {
    const group = drawnNode(place, pick);
    group.classList.toggle("is-minor", !labelled.has(place));
    return { place, group };
  });
  const show = (id: string | null): void => {
    svg.classList.toggle("has-focus", id !== null);
    const near = new Set([id]);
    for (const { link, line } of drawnLinks) {
      const { from, to } = link.edge;
      line.classList.toggle("is-paid", from === id);
      line.classList.toggle("is-received", to === id);
      if (from === id || to === id) near.add(from).add(to);
    }
    for (const { place, group } of drawnNodes) {
      group.classList.toggle("is-near", near.has(place.node.id));
    }
    tell(id);
  };
  for (const { place, group } of drawnNodes) {
    const [enter, leave] = [() => show(place.node.id), () => show(found)];
    for (const name of ["focus", "pointerenter"]) group.addEventListener(name, enter);
    for (const name of ["blur", "pointerleave"]) group.addEventListener(name, leave);
  }
  svg.append(...drawnLinks.map(({ line }) => line), ...drawnNodes.map(({ group }) => group));
  if (found !== null) show(found);
  return svg;
};

/** Draws a link as an arc, so that payments in opposite directions do not overlap. */
const drawnLink = ({ source, target, edge }: DrawnFlow, most: number): SVGElement => {
  const { x: x1 = 0, y: y1 = 0 } = source;
  const { x: x2 = 0, y: y2 = 0 } = target;
  const bend = 0.12;
  const [mx, my] = [(x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend];
  const width = 0.75 + 5 * Math.sqrt(edge.amount / most);
  return shape(
    "g",
    { class: "network-edge" },
    shape("path", { d: `M${x1} ${y1} Q${mx} ${my} ${x2} ${y2}`, "stroke-width": width }),
    arrowAt({ x: x2, y: y2 }, { angle: Math.atan2(y2 - my, x2 - mx), gap: target.radius, width }),
  );
};

const ARROW_LENGTH = 5;

/** A triangle whose tip touches the circle of the payee. */
const arrowAt = (
  { x, y }: { readonly x: number; readonly y: number },
  { angle, gap, width }: { readonly angle: number; readonly gap: number; readonly width: number },
): SVGElement => {
  const length = ARROW_LENGTH + 1.5 * width;
  const at = (along: number, aside: number): string => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return `${x - along * cos - aside * sin},${y - along * sin + aside * cos}`;
  };
  const [tip, end, half] = [gap + 1, gap + 1 + length, length / 2.4];
  return shape("polygon", { points: [at(tip, 0), at(end, half), at(end, -half)].join(" ") });
};

const drawnNode = ({ node, radius, x = 0, y = 0 }: PlacedNode, pick: (id: string) => void) => {
  const { id, agent, paid, received, partners } = node;
  const group = shape(
    "g",
    {
      class: agent ? "network-node" : "network-node is-program",
      tabindex: 0,
      role: "button",
      "data-id": id,
      "aria-label":
        `${id}: received ${numberText(received)}, paid ${numberText(paid)}, ` +
        countText(partners, "partner") +
        shownAs(node),
      transform: `translate(${x} ${y})`,
      click: () => pick(id),
    },
    shape("circle", { r: radius }),
    shape("text", { y: radius + 11 }, labelOf(node)),
  );
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(id);
  });
  return group;
};

/** The name of a node has its visible label, so that a person who speaks the label reaches it. */
export const shownAs = (node: TradeNetwork["nodes"][number]): string =>
  labelOf(node) === node.id ? "" : `, shown as ${labelOf(node)}`;

const FLOWS_LISTED = 4;

export const summaryOf = (id: string, { nodes, edges: flows }: NetworkSpec["network"]): string => {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return "";
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
