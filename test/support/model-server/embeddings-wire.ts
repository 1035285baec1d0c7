const DIMENSIONS = 16;

/** A vector that is fixed for a text: its letters, counted into so many bins, of length one. */
const letterVector = (text: string): readonly number[] => {
  const bins: number[] = new Array(DIMENSIONS).fill(0);
  for (const letter of text.toLowerCase()) {
    const bin = (letter.codePointAt(0) ?? 0) % DIMENSIONS;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const length = Math.hypot(...bins) || 1;
  return bins.map((count) => count / length);
};

export const embeddingsReply = (
  texts: readonly string[],
  vectors: readonly (readonly number[])[] | undefined,
  model: string,
): unknown => ({
  object: "list",
  model,
  data: texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: vectors?.[index] ?? letterVector(text),
  })),
  usage: { prompt_tokens: 10 * texts.length, total_tokens: 10 * texts.length },
});
