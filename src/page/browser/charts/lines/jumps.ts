import type uPlot from "uplot";
import { isInPeriod } from "../../../../text/index.ts";
import { momentText } from "../../parts/text.ts";
import { element } from "../chart.ts";
import { type Drawing, type LineSpec, placeAt } from "./line-spec.ts";

const RADIUS_PX = 7.5;
const FONT_PX = 10;

/** The large changes below a chart, each with its number in the chart and a link to its moment. */
export const jumpList = (): { readonly root: HTMLElement; show: (spec: LineSpec) => void } => {
  const list = element("ol", { class: "chart-jumps", "aria-label": "Large changes", hidden: true });
  const caption = element("p", { class: "chart-note", hidden: true });
  const root = element("div", {}, caption, list);
  let shown = "";
  const show = ({ jumps = [], jumpsWhen: when }: LineSpec): void => {
    caption.hidden = when === undefined;
    const what = jumps.length === 0 ? "No large changes" : "Large changes";
    caption.textContent = when === undefined ? "" : `${what} ${when}`;
    const text = JSON.stringify(jumps);
    // New data with the same changes leaves the focus where it is.
    if (text === shown) return;
    shown = text;
    list.hidden = jumps.length === 0;
    list.replaceChildren(
      ...jumps.map(({ atMs, says, href }) => {
        const link = element("a", { class: "link", href }, momentText(atMs));
        return element("li", {}, link, " ", element("bdi", {}, says));
      }),
    );
  };
  return { root, show };
};

/** Draws the number of each large change at its line, just after the change. */
export const drawJumps = (plot: uPlot, { spec, isShown, colour, font, range }: Drawing): void => {
  const { jumps = [], series, atMs } = spec();
  const shown = range();
  const { ctx: context } = plot;
  context.save();
  context.font = `bold ${FONT_PX * devicePixelRatio}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.setLineDash([]);
  for (const [number, jump] of jumps.entries()) {
    const at = series.findIndex(({ label }) => label === jump.label);
    const place = Math.min(atMs.length - 1, placeAt(atMs, jump.atMs) + 1);
    const value = series[at]?.values[place] ?? null;
    if (value === null || !isShown(at) || !isInPeriod(shown, jump.atMs)) continue;
    const [x, y] = [plot.valToPos(jump.atMs / 1_000, "x", true), plot.valToPos(value, "y", true)];
    context.beginPath();
    context.arc(x, y, RADIUS_PX * devicePixelRatio, 0, 2 * Math.PI);
    context.fillStyle = colour("--panel");
    context.strokeStyle = colour("--ink");
    context.fill();
    context.stroke();
    context.fillStyle = colour("--ink");
    context.fillText(String(number + 1), x, y);
  }
  context.restore();
};
