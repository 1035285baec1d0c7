/** A label next to the end of a line. `y` is where it should be; the centre of its text. */
export type EndLabel = { readonly at: number; readonly text: string; readonly y: number };

type Room = {
  readonly top: number;
  readonly bottom: number;
  /** The least distance of two labels. */
  readonly lineHeight: number;
};

/**
 * Moves labels apart so that none overlap, as little as possible. Drops the last labels of `wanted`
 * that have no room, so put the most important first. Returns the labels from top to bottom.
 */
export const placedLabels = (
  wanted: readonly EndLabel[],
  { top, bottom, lineHeight }: Room,
): readonly EndLabel[] => {
  const most = Math.max(0, Math.floor((bottom - top) / lineHeight));
  const labels = wanted.slice(0, most).sort((one, other) => one.y - other.y || one.at - other.at);
  /** Labels that touch move together, as a block around the mean of their wanted places. */
  const blocks: { readonly labels: EndLabel[]; sum: number; y: number }[] = [];
  const half = lineHeight / 2;
  const settle = (block: (typeof blocks)[number]): void => {
    const height = block.labels.length * lineHeight;
    const centre = block.sum / block.labels.length;
    block.y = Math.min(bottom - height, Math.max(top, centre - height / 2));
  };
  for (const label of labels) {
    let block = { labels: [label], sum: label.y, y: label.y - half };
    settle(block);
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      if (above.y + above.labels.length * lineHeight <= block.y) break;
      blocks.pop();
      block = { labels: [...above.labels, ...block.labels], sum: above.sum + block.sum, y: 0 };
      settle(block);
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ labels, y }) =>
    labels.map((label, at) => ({ ...label, y: y + half + at * lineHeight })),
  );
};

const CHARS_MAX = 16;

/** The text of a label next to a line. The legend shows a long name in full. */
export const shortLabel = (text: string): string =>
  text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX - 1)}…`;
