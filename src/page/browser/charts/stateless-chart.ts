import { printable } from "../../../text/index.ts";
import { type Chart, element } from "./chart.ts";
import { type ChartFiles, saveMenu } from "./saving/save-menu.ts";

type Titled = { readonly title: string; readonly note: string };

export type StatelessParts<Spec> = {
  readonly draw: (spec: Spec) => readonly Node[];
  readonly files: (spec: Spec) => ChartFiles;
};

/** A chart without state. Each update draws the content again, below the title and the note. */
export const statelessChart = <Spec extends Titled>(
  given: Spec,
  { draw, files }: StatelessParts<Spec>,
): Chart<Spec> => {
  let now = given;
  const title = element("h3", { class: "chart-title" });
  const note = element("p", { class: "chart-note" });
  const content = element("div", {});
  // The menu stays, so that an update does not close it.
  const head = element(
    "div",
    { class: "chart-head" },
    title,
    saveMenu(() => files(now)),
  );
  const root = element("figure", { class: "chart" }, head, note, content);
  const update = (spec: Spec): void => {
    now = spec;
    title.textContent = printable(spec.title);
    note.textContent = printable(spec.note);
    const { activeElement: active } = document;
    const focused = content.contains(active) ? nameOf(active) : null;
    content.replaceChildren(...draw(spec));
    // The same part of the chart keeps the focus.
    if (focused === null) return;
    const parts = content.querySelectorAll<HTMLElement | SVGElement>("[data-id], a");
    [...parts].find((part) => nameOf(part) === focused)?.focus({ preventScroll: true });
  };
  update(given);
  return { root, update, destroy: () => {} };
};

/** What names a part of a chart that can have the focus. */
const nameOf = (part: Element | null): string | null =>
  part?.getAttribute("data-id") ?? part?.getAttribute("href") ?? null;
