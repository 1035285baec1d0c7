import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Colour,
  headOf,
  type Picture,
  paperColour,
  type Shape,
  svgText,
} from "../../../read/index.ts";
import { printable } from "../../../text/index.ts";

type ChartParts = {
  readonly title: string;
  readonly note: string;
  /** Whether the chart takes the whole line. */
  readonly wide?: boolean;
  /** What stands beside the title. */
  readonly tools?: ComponentChildren;
  /** The chart as files: a picture for a paper, and its values as CSV. */
  readonly picture: () => Picture;
  readonly table: () => string;
  readonly children?: ComponentChildren;
};

/** A chart as a part of a page: its title, its note, what it shows, and a menu that saves it. */
export const Chart = (parts: ChartParts) => html`
  <section class=${`panel ${parts.wide === true ? "is-wide" : ""}`}>
    <figure class="chart" aria-label=${parts.title}>
      <div class="chart-head">
        <h3 class="chart-title">${parts.title}</h3>
        ${parts.tools}
        <${SaveMenu} ...${parts} />
      </div>
      <p class="chart-note">${parts.note}</p>
      ${parts.children}
    </figure>
  </section>
`;

/** Saves a chart. Closes on Escape, and when the focus leaves it. */
const SaveMenu = ({ title, picture, table }: ChartParts) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current === null) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  const button = (type: string, make: () => Blob | Promise<Blob>) => html`
    <button type="button" onClick=${async () => {
      close();
      download(`${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${type}`, await make());
    }}>${type.toUpperCase()}</button>
  `;
  return html`
    <details class="save" ref=${menu}
      onKeyDown=${(event: KeyboardEvent) => event.key === "Escape" && close()}
      onFocusOut=${({ currentTarget, relatedTarget }: FocusEvent) => {
        const isInside = relatedTarget instanceof Node && menu.current?.contains(relatedTarget);
        if (!isInside && currentTarget instanceof HTMLDetailsElement) currentTarget.open = false;
      }}>
      <summary class="chart-tool">Save</summary>
      <div class="save-files">
        ${button("svg", () => new Blob([svgText(picture())], { type: "image/svg+xml" }))}
        ${button("png", () => pngBlob(picture()))}
        ${button("csv", () => new Blob([table()], { type: "text/csv" }))}
      </div>
    </details>
  `;
};

/** How long the browser may take to start a download. */
const DOWNLOAD_MS = 60_000;

const download = (name: string, blob: Blob): void => {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_MS);
};

const variable = (colour: Colour | undefined): string =>
  colour === undefined ? "none" : `var(--${colour})`;

/** Shapes as elements of the page, in the colours of the page. */
export const elementsOf = (shapes: readonly Shape[]): ComponentChildren => shapes.map(elementOf);

const elementOf = (shape: Shape): ComponentChildren => {
  switch (shape.kind) {
    case "path": {
      const { d, fill, stroke, width, dash, opacity } = shape;
      return html`<path d=${d} fill=${variable(fill)} stroke=${variable(stroke)}
        stroke-width=${width} stroke-dasharray=${dash?.join(" ")} opacity=${opacity} />`;
    }
    case "text": {
      const { at, text, size, fill = "ink", anchor, turn = 0, isItalic, isBold } = shape;
      const [x, y] = at;
      return html`<text x=${x} y=${y} font-size=${size} fill=${variable(fill)}
        text-anchor=${anchor} font-style=${isItalic === true ? "italic" : undefined}
        font-weight=${isBold === true ? "bold" : undefined}
        transform=${turn === 0 ? undefined : `rotate(${turn} ${x} ${y})`}>${text}</text>`;
    }
    case "group": {
      const { shapes, href, says } = shape;
      const inner = html`${says !== undefined && html`<title>${says}</title>`}${elementsOf(shapes)}`;
      // The name of a link has to hold its visible text, which may be shortened.
      if (href) return html`<a class="link" href=${href}>${inner}</a>`;
      const label = says?.split("\n")[0];
      const role = shapes.some(({ kind }) => kind === "group") ? "group" : "img";
      return html`<g role=${role} aria-label=${label}>${inner}</g>`;
    }
  }
};

/** The width of an element in px, which follows that of the page. 0 until it is known. */
export const useWidth = (of: { readonly current: Element | null }): number => {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (of.current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    watch.observe(of.current);
    return () => watch.disconnect();
  }, []);
  return width;
};

/** Pixels of a PNG for each px of the picture. */
const SCALE = 2;

/**
 * A picture as PNG. The policy of a published page forbids images, so a canvas cannot draw the SVG.
 */
const pngBlob = (picture: Picture): Promise<Blob> => {
  const head = headOf(picture);
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * SCALE;
  canvas.height = (picture.height + head.height) * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser cannot draw");
  context.scale(SCALE, SCALE);
  context.fillStyle = paperColour("panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const shape of head.shapes) paint(context, shape);
  paint(context, { kind: "group", at: [0, head.height], shapes: picture.shapes });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("this browser cannot make the picture"));
      else resolve(blob);
    }, "image/png");
  });
};

const paint = (context: CanvasRenderingContext2D, shape: Shape): void => {
  context.save();
  if (shape.kind === "group") {
    context.translate(...(shape.at ?? [0, 0]));
    for (const each of shape.shapes) paint(context, each);
  } else if (shape.kind === "text") {
    const { at, text, size, fill = "ink", anchor = "start", turn = 0 } = shape;
    const style = `${shape.isItalic ? "italic " : ""}${shape.isBold ? "bold " : ""}`;
    context.translate(...at);
    context.rotate((turn * Math.PI) / 180);
    context.font = `${style}${size}px Arial, Helvetica, sans-serif`;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    context.fillStyle = paperColour(fill);
    context.fillText(printable(text), 0, 0);
  } else {
    const { d, fill, stroke, width = 1, dash, opacity = 1 } = shape;
    const path = new Path2D(d);
    context.globalAlpha = opacity;
    if (fill !== undefined) {
      context.fillStyle = paperColour(fill);
      context.fill(path);
    }
    if (stroke !== undefined) {
      context.strokeStyle = paperColour(stroke);
      context.lineWidth = width;
      context.setLineDash([...(dash ?? [])]);
      context.stroke(path);
    }
  }
  context.restore();
};
