import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import type { ReplyForm } from "./model.ts";

const vectors = z.array(z.array(z.number()));
const texts = z.array(z.string());

/** A reply form that requests a vector for each text. The prompt is a JSON list of these texts. */
export const VECTORS: ReplyForm = {
  name: "vectors",
  rich: vectors,
  flat: vectors,
  described: "a list of numbers for each text",
};

export const textsIn = (prompt: string): readonly string[] => {
  const read = texts.safeParse(jsonIn(prompt));
  return read.success ? read.data : [];
};

/** Encodes vectors. Returns null if lengths differ or a number does not fit a 32-bit float. */
export const writtenVectors = (all: readonly (readonly number[])[]): string | null => {
  const [first = []] = all;
  const flat = Float32Array.from(all.flat());
  const fit = all.every(({ length }) => length === first.length) && first.length > 0;
  if (!fit || !flat.every(Number.isFinite)) return null;
  return `${first.length} ${Buffer.from(flat.buffer).toString("base64")}`;
};

export const readVectors = (text: string): readonly Float32Array[] => {
  const [length, coded = ""] = text.split(" ");
  const bytes = Buffer.from(coded, "base64");
  const flat = new Float32Array(new Uint8Array(bytes).buffer);
  const dimensions = Number(length);
  return Array.from({ length: flat.length / dimensions }, (_, at) =>
    flat.slice(at * dimensions, (at + 1) * dimensions),
  );
};
