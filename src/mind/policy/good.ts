import type { Json } from "../../kernel/index.ts";
import type { Recipe } from "../library/index.ts";
import { plain } from "../memory-codec.ts";

/** Bytes that a writer of programs leaves free on its disk. */
export const DISK_RESERVE = 4_000;

/** The action that brings a program from the library onto the market. */
export const writeGood = (
  recipe: Recipe,
  { id, price }: { readonly id: string; readonly price: number },
): Json => ({
  write_artifact: {
    artifact_id: id,
    artifact_type: "program",
    content: recipe.title,
    code: recipe.code,
    price,
    interface: plain(recipe.interface),
    metadata: { topic: recipe.topic, takes: recipe.takes, gives: recipe.gives },
  },
});
