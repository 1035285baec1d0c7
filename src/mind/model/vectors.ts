import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import type { ReplyForm } from "./model.ts";

const vectors = z.array(z.array(z.number()));
const texts = z.array(z.string());

/**
 * The form of a reply that is vectors. The prompt is a list of texts then, as JSON, and the reply
 * has one vector for each, in a form that only `readVectors` knows. Such a request passes the same
 * limits and budgets as other requests; its vectors are not recorded, and no pause holds it.
 */
export const VECTORS: ReplyForm = {
  name: "vectors",
  rich: vectors,
  flat: vectors,
  described: "a list of numbers for each text",
};

/** The texts of a prompt; none where it is none for vectors. */
export const textsIn = (prompt: string): readonly string[] => {
  const read = texts.safeParse(jsonIn(prompt));
  return read.success ? read.data : [];
};

/** Null where they are not all of one length, or hold what is no number of four bytes. */
export const writtenVectors = (all: readonly (readonly number[])[]): string | null => {
  const [first = []] = all;
  const flat = Float32Array.from(all.flat());
  const fit = all.every(({ length }) => length === first.length) && first.length > 0;
  if (!fit || !flat.every(Number.isFinite)) return null;
  return `${first.length} ${Buffer.from(flat.buffer).toString("base64")}`;
};

/** The inverse of `writtenVectors`. */
export const readVectors = (text: string): readonly Float32Array[] => {
  const [length, coded = ""] = text.split(" ");
  const bytes = Buffer.from(coded, "base64");
  const flat = new Float32Array(new Uint8Array(bytes).buffer);
  const dimensions = Number(length);
  return Array.from({ length: flat.length / dimensions }, (_, at) =>
    flat.slice(at * dimensions, (at + 1) * dimensions),
  );
};
