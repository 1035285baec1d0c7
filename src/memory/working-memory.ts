import { parseDocument, stringify } from "yaml";
import { z } from "zod";
import { cutText, isObject, jsonIn } from "../kernel/index.ts";
import type { Frozen } from "../model/index.ts";
import { onOneLine } from "./port/agent-memory.ts";

export const workingMemorySettings = z.strictObject({
  enabled: z.boolean(),
  auto_inject: z.boolean(),
  max_size_bytes: z.int().min(50).max(100_000),
  include_in_rag: z.boolean(),
  structured_format: z.boolean(),
  warn_on_missing: z.boolean(),
});
export type WorkingMemorySettings = Frozen<z.infer<typeof workingMemorySettings>>;

/** A longer text is not parsed, because parsing such a text would delay the run. */
const PARSED_UNITS_MAX = 50_000;

/** Returns `working_memory` of the agent's artifact, else `<id>_working_memory`, else null. */
export const workingMemoryOf = (
  agentContentJson: string,
  workingMemoryArtifactContent: string | null,
): unknown => {
  const content = jsonIn(agentContentJson);
  const own = isObject(content) ? content.working_memory : null;
  if (own !== null && own !== undefined) return own;
  const text = workingMemoryArtifactContent?.trim() ?? "";
  if (text === "") return null;
  if (text.length > PARSED_UNITS_MAX) return text;
  return jsonIn(text) ?? parsedYaml(text) ?? text;
};

/** Parses YAML. Returns undefined for invalid YAML and for a text that is a single scalar. */
const parsedYaml = (text: string): unknown => {
  try {
    const document = parseDocument(text, { logLevel: "silent" });
    const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
};

const CUT_MARK = "[...truncated]";
/** A cut moves back to the end of a line or word if at most this share of the text is lost. */
const LOSS_MAX = 0.5;

const LABELS: ReadonlyMap<string, string> = new Map([
  ["current_goal", "Current goal"],
  ["stage", "Stage"],
  ["completed", "Completed"],
  ["next_steps", "Next steps"],
  ["lessons", "Lessons"],
  ["strategic_objectives", "Strategic objectives"],
]);

/**
 * Returns working memory as text of at most `max_size_bytes` UTF-8 bytes. A cut text ends with a
 * mark, within this maximum. The structured format starts with the known fields; the other format
 * is YAML. Accepts any value. Omits parts that are too long or nested too deeply.
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
  return [...known, ...others.flatMap(([name, value]) => lines(onOneLine(name), value))];
};

const isFields = (value: Plain | undefined): value is { readonly [name: string]: Plain } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const lines = (label: string, value: Plain | undefined): readonly string[] => {
  if (!Array.isArray(value)) {
    const text = inline(value ?? null);
    return text === "" ? [] : [`${label}: ${text}`];
  }
  const items = value.map(inline).filter((item) => item !== "");
  if (items.length === 0) return [];
  if (items.length === 1) return [`${label}: ${items[0]}`];
  return [`${label}:`, ...items.map((item) => `- ${item}`)];
};

const inline = (value: Plain): string => {
  if (value === null) return "";
  return onOneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
};

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

const withinBytes = (text: string, bytesMax: number): string => {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const bytes = Buffer.from(cutText(text, bytesMax)).subarray(0, bytesMax);
  return bytes.toString("utf8").replace(/\uFFFD+$/, "");
};

type Plain =
  | null
  | boolean
  | number
  | string
  | readonly Plain[]
  | { readonly [name: string]: Plain };

const DEPTH_MAX = 5;
const VALUES_MAX = 2_000;
const TEXT_UNITS_MAX = 100_000;
const LEFT_OUT = "…";

/** Copies any value as plain data of limited size. Dates and functions become text. */
const bounded = (value: unknown): Plain => {
  let values = 0;
  const copy = (each: unknown, depth: number): Plain => {
    values += 1;
    if (values > VALUES_MAX) return LEFT_OUT;
    if (each === null || each === undefined) return null;
    if (typeof each === "string") return cutText(each, TEXT_UNITS_MAX).toWellFormed();
    if (typeof each === "number" || typeof each === "boolean") return each;
    if (typeof each !== "object") return String(each);
    if (each instanceof Date) return String(each);
    if (depth >= DEPTH_MAX) return LEFT_OUT;
    if (Array.isArray(each)) {
      return each.slice(0, VALUES_MAX).map((item) => copy(item, depth + 1));
    }
    const entries = Object.entries(each).slice(0, VALUES_MAX);
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, depth + 1)]));
  };
  return copy(value, 0);
};
