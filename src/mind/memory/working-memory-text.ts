import { stringify } from "yaml";
import { cutText } from "../../kernel/index.ts";
import type { WorkingMemorySettings } from "../settings.ts";
import { bounded, type Plain } from "./plain-value.ts";

const CUT_MARK = "[...truncated]";
/** A cut goes back to the end of a line, or of a word, if not more than this is lost by it. */
const LOSS_MAX = 0.5;

/** The fields that the shipped form has, under the words by which they are shown. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["current_goal", "Current goal"],
  ["stage", "Stage"],
  ["completed", "Completed"],
  ["next_steps", "Next steps"],
  ["lessons", "Lessons"],
  ["strategic_objectives", "Strategic objectives"],
]);

/**
 * Working memory as lines to read, `max_size_bytes` UTF-8 bytes at most, with a mark where
 * something was cut away. Structured: the known fields first, then all others under their own
 * names; otherwise as YAML, and text as it stands. Takes any value; what nests too deep or goes on
 * too long is left out. Nothing to show gives the empty text.
 */
export const renderWorkingMemory = (
  value: unknown,
  settings: Pick<WorkingMemorySettings, "max_size_bytes" | "structured_format">,
): string => {
  const plain = bounded(value);
  return cutLines(rendered(plain, settings.structured_format), settings.max_size_bytes);
};

const rendered = (value: Plain, structured: boolean): string => {
  if (value === null) return "";
  if (typeof value === "string") return value.trim();
  if (typeof value !== "object") return String(value);
  if (Object.keys(value).length === 0) return "";
  if (!structured || Array.isArray(value)) return stringify(value).trim();
  return structuredLines(new Map(Object.entries(value))).join("\n");
};

const structuredLines = (fields: Map<string, Plain>): readonly string[] => {
  const progress = fields.get("progress");
  if (isFields(progress)) {
    fields.delete("progress");
    for (const [name, value] of Object.entries(progress)) {
      if (!fields.has(name)) fields.set(name, value);
    }
  }
  const known = [...LABELS].flatMap(([name, label]) => lines(label, fields.get(name)));
  const others = [...fields].filter(([name]) => !LABELS.has(name));
  return [...known, ...others.flatMap(([name, value]) => lines(oneLine(name), value))];
};

const isFields = (value: Plain | undefined): value is { readonly [name: string]: Plain } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One line for a value, or a headed list; none for what is empty. */
const lines = (label: string, value: Plain | undefined): readonly string[] => {
  if (!Array.isArray(value)) {
    const text = inline(value ?? null);
    return text === "" ? [] : [`${label}: ${text}`];
  }
  const items = value.map(inline).filter((item) => item !== "");
  if (items.length === 0) return [];
  return items.length === 1 ? [`${label}: ${items[0]}`] : [`${label}:`, ...items.map(bullet)];
};

const bullet = (item: string): string => `- ${item}`;

const inline = (value: Plain): string => {
  if (value === null) return "";
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
};

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Cuts at the end of a line, else of a word, else of a character. */
const cutLines = (text: string, bytesMax: number): string => {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const room = bytesMax - Buffer.byteLength(`\n${CUT_MARK}`);
  const fitting = withinBytes(text, Math.max(0, room));
  const atLine = fitting.lastIndexOf("\n");
  const atWord = fitting.lastIndexOf(" ");
  const least = fitting.length * LOSS_MAX;
  const end = atLine >= least ? atLine : atWord >= least ? atWord : fitting.length;
  return withinBytes(`${fitting.slice(0, end).trimEnd()}\n${CUT_MARK}`.trimStart(), bytesMax);
};

/** The longest beginning of a text that takes `bytesMax` bytes, with no half character. */
const withinBytes = (text: string, bytesMax: number): string => {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const bytes = Buffer.from(cutText(text, bytesMax)).subarray(0, bytesMax);
  return bytes.toString("utf8").replace(/\uFFFD+$/, "");
};
