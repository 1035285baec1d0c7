import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { printable } from "../../../text/index.ts";
import { type Picture, pngBlob, type Shape, svgText } from "./picture.ts";

export type Chart<Spec> = {
  readonly root: HTMLElement;
  readonly update: (spec: Spec) => void;
  /** Removes the chart's listeners. Call this before you remove `root`. */
  readonly destroy: () => void;
};

type ChartPanelParts<Spec> = {
  readonly make: (spec: Spec) => Chart<Spec>;
  readonly spec: Spec;
  readonly wide?: boolean;
};

/** A chart as a part of a page. It follows changes of `spec`. */
export const ChartPanel = <Spec>({ make, spec, wide = false }: ChartPanelParts<Spec>) => {
  const place = useRef<HTMLElement>(null);
  const chart = useRef<Chart<Spec> | null>(null);
  useEffect(() => {
    const made = make(spec);
    chart.current = made;
    place.current?.append(made.root);
    return () => {
      made.destroy();
      made.root.remove();
    };
  }, [make]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) chart.current?.update(spec);
    isFirst.current = false;
  }, [spec]);
  return html`<section class=${`panel ${wide ? "is-wide" : ""}`} ref=${place}></section>`;
};

/** A chart as files: a picture for a paper, and its values as CSV. */
export type ChartFiles = {
  readonly title: string;
  readonly picture: () => Picture;
  readonly table: () => string;
};

type Drawn<Spec> = {
  readonly draw: (spec: Spec) => readonly Node[];
  readonly files: (spec: Spec) => ChartFiles;
};

/** A chart without state. Each update draws the content again, below the title and the note. */
export const redrawnChart = <Spec extends { readonly title: string; readonly note: string }>(
  given: Spec,
  { draw, files }: Drawn<Spec>,
): Chart<Spec> => {
  let now = given;
  const title = element("h3", { class: "chart-title" });
  const note = element("p", { class: "chart-note" });
  const content = element("div", {});
  // The menu stays, so that an update does not close it.
  const menu = saveMenu(() => files(now));
  const head = element("div", { class: "chart-head" }, title, menu);
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

type Attribute = string | number | boolean | ((event: Event) => void);
type Attributes = { readonly [name: string]: Attribute };
type Child = Node | string | null;

/** Creates an HTML element. Strings become printable text, functions become event listeners. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => filled(document.createElement(tag), attributes, children);

export const svgElement = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const filled = <Made extends Element>(
  made: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) {
      made.setAttribute(name, value === true ? "" : printable(String(value)));
    }
  }
  for (const child of children) {
    if (child !== null) made.append(typeof child === "string" ? printable(child) : child);
  }
  return made;
};

/** A picture as a part of the page, in the colours of the page. It has no title and no note. */
export const pictureElement = (
  { width, height, shapes }: Picture,
  attributes: Attributes,
): SVGSVGElement =>
  svgElement(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, ...attributes },
    ...shapes.map(drawnShape),
  );

const drawnShape = (given: Shape): SVGElement => {
  switch (given.kind) {
    case "line": {
      const { points, stroke, width, dash } = given;
      const drawn = svgElement("polyline", { points: points.join(" "), "stroke-width": width });
      drawn.style.fill = "none";
      drawn.style.stroke = `var(${stroke})`;
      if (dash) drawn.style.strokeDasharray = dash.join(" ");
      return drawn;
    }
    case "area": {
      const { points, opacity = 1 } = given;
      const area = { points: points.join(" "), "fill-opacity": opacity };
      return inColour(svgElement("polygon", area), given.fill);
    }
    case "circle": {
      const [cx, cy] = given.at;
      return inColour(svgElement("circle", { cx, cy, r: given.radius }), given.fill);
    }
    case "text": {
      const { at, text, size, anchor = "start", turn = 0, isItalic = false } = given;
      const [x, y] = at;
      const place = { x, y, "font-size": size, "text-anchor": anchor };
      const style = isItalic ? { "font-style": "italic" } : {};
      const transform = turn === 0 ? {} : { transform: `rotate(${turn} ${x} ${y})` };
      const drawn = svgElement("text", { ...place, ...style, ...transform }, text);
      return inColour(drawn, given.fill ?? "--ink");
    }
  }
};

/** The policy of a page forbids an attribute `style`, but not the property. */
const inColour = (drawn: SVGElement, fill: string): SVGElement => {
  drawn.style.fill = `var(${fill})`;
  return drawn;
};

export const colourOf = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

export const swatchOf = (variable: string): HTMLElement => {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.setProperty("--tone", `var(${variable})`);
  return swatch;
};

/** What changes the colours of a page. Paper is always white. */
const THEMES = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"];

/** Calls `change` if the page gets other colours. Returns a function to stop the calls. */
export const onThemeChange = (change: () => void): (() => void) => {
  const queries = THEMES.map((theme) => matchMedia(theme));
  for (const query of queries) query.addEventListener("change", change);
  return () => {
    for (const query of queries) query.removeEventListener("change", change);
  };
};

/** A menu that saves a chart. Closes on Escape, and when the focus leaves it. */
export const saveMenu = (files: () => ChartFiles): HTMLElement => {
  const summary = element("summary", { class: "chart-tool" }, "Save");
  const close = (): void => {
    menu.open = false;
    summary.focus();
  };
  const button = (type: string, make: (files: ChartFiles) => Blob | Promise<Blob>): HTMLElement => {
    const click = async (): Promise<void> => {
      close();
      const chart = files();
      download(`${fileName(chart.title)}.${type}`, await make(chart));
    };
    return element("button", { type: "button", click: () => void click() }, type.toUpperCase());
  };
  const list = element(
    "div",
    { class: "save-files" },
    button("svg", ({ picture }) => new Blob([svgText(picture())], { type: "image/svg+xml" })),
    button("png", ({ picture }) => pngBlob(picture())),
    button("csv", ({ table }) => new Blob([table()], { type: "text/csv" })),
  );
  const menu = element("details", { class: "save" }, summary, list);
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) close();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
  });
  return menu;
};

/** The title of a chart as the name of a file. */
const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** How long the browser may take to start a download. */
const DOWNLOAD_MS = 60_000;

const download = (name: string, blob: Blob): void => {
  const href = URL.createObjectURL(blob);
  const link = element("a", { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_MS);
};
