import { ACTIVE } from "../../printable.ts";
import type { LifeGraph, LifeLink, LifeNode } from "./moment-graph.ts";

/** The attributes of nodes, with the types of GraphML. */
const NODE_KEYS = [
  ...(["label", "name", "type", "synthesis"] as const).map((name) => [name, "string"] as const),
  ...(["seq", "at_ms", "paid", "received", "minted"] as const).map(
    (name) => [name, "long"] as const,
  ),
];

const NAMESPACE = "http://graphml.graphdrawing.org/xmlns";
const SCHEMA = `${NAMESPACE}/1.0/graphml.xsd`;

/** A graph as a GraphML document, in lines. Gephi, yEd and NetworkX can read it. */
export function* graphmlLines({ nodes, links }: LifeGraph): Generator<string, void> {
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield `<graphml xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xsi:schemaLocation="${NAMESPACE} ${SCHEMA}">`;
  for (const [name, type] of NODE_KEYS) {
    yield `  <key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`;
  }
  yield '  <key id="verb" for="edge" attr.name="verb" attr.type="string"/>';
  yield '  <graph id="moments" edgedefault="directed">';
  for (const node of nodes) yield nodeLine(node);
  for (const link of links) yield linkLine(link);
  yield "  </graph>";
  yield "</graphml>";
}

const nodeLine = (node: LifeNode): string => {
  const data = NODE_KEYS.map(([name]) => {
    const value = node[name];
    return value === undefined ? "" : `<data key="${name}">${xmlText(String(value))}</data>`;
  });
  return `    <node id="${xmlText(node.id)}">${data.join("")}</node>`;
};

const linkLine = ({ from, verb, to }: LifeLink): string => {
  const ends = `source="${xmlText(from)}" target="${xmlText(to)}"`;
  return `    <edge ${ends}><data key="verb">${verb}</data></edge>`;
};

const MARKS: { readonly [mark: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** What XML 1.0 cannot contain, not even as a reference: most control characters, and others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Escapes a text for XML, so that it is safe to print. A character that XML cannot contain becomes
 * U+FFFD.
 */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNFIT, "\ufffd")
    .replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark)
    .replace(ACTIVE, (mark) => `&#${mark.charCodeAt(0)};`);
