import type { Json } from "./json.ts";

/** The value that a text stands for; undefined for what is no JSON. */
export const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
