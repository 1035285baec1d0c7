import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Resvg } from "@resvg/resvg-wasm";
import { type DrawnChart, svgFile } from "./chart.ts";

const FONT_FILES = ["400Regular/Arimo_400Regular.ttf", "700Bold/Arimo_700Bold.ttf"];
const FAMILY = "Arimo";
/** Pixels of the picture for each pixel of the chart: a chart of 17 cm has 300 dots an inch. */
const ZOOM = 3;

type Renderer = { readonly Renderer: typeof Resvg; readonly fonts: readonly Uint8Array[] };

let loading: Promise<Renderer> | null = null;

/** Loads the renderer once: it cannot be loaded twice in a process. */
const renderer = (): Promise<Renderer> => {
  loading ??= load();
  return loading;
};

const load = async (): Promise<Renderer> => {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  await initWasm(await packageFile("@resvg/resvg-wasm/index_bg.wasm"));
  const fonts = await Promise.all(
    FONT_FILES.map((file) => packageFile(`@expo-google-fonts/arimo/${file}`)),
  );
  return { Renderer: Resvg, fonts };
};

const packageFile = (specifier: string): Promise<Uint8Array<ArrayBuffer>> =>
  readFile(fileURLToPath(import.meta.resolve(specifier)));

/**
 * A chart as a PNG picture, in light colours. The font has Latin, Greek, Cyrillic and Hebrew
 * characters; others are empty boxes.
 */
export const pngFile = async (chart: DrawnChart): Promise<Uint8Array> => {
  const { Renderer, fonts } = await renderer();
  const drawing = new Renderer(svgFile(chart), {
    fitTo: { mode: "zoom", value: ZOOM },
    font: { fontBuffers: [...fonts], defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
  });
  const picture = drawing.render();
  const png = picture.asPng();
  picture.free();
  drawing.free();
  return png;
};
