/** Runs the bench that its argument names and sends the figures to the parent process. */
import type { Figure } from "./figure.ts";

const [name] = process.argv.slice(2);
const bench: { figures: () => Promise<readonly Figure[]> } = await import(`./${name}.ts`);
const figures = await bench.figures();
process.send?.({ figures, peakMb: process.resourceUsage().maxRSS / 1e3 });
process.disconnect?.();
