import { element } from "../chart.ts";
import { type Picture, pngBlob, svgText } from "./picture.ts";

/** A file that a person can save, made when it is asked for. */
export type ChartFile = {
  /** The end of its name, such as `svg`. */
  readonly type: string;
  readonly make: () => Promise<Blob>;
};

export type ChartFiles = {
  /** The name of the files without their end. */
  readonly name: string;
  readonly files: readonly ChartFile[];
};

/** A chart as two pictures for a paper and as a table. */
export const chartFiles = (
  title: string,
  picture: () => Picture,
  table: () => string,
): ChartFiles => ({
  name: fileName(title),
  files: [
    { type: "svg", make: async () => new Blob([svgText(picture())], { type: "image/svg+xml" }) },
    { type: "png", make: () => pngBlob(picture()) },
    { type: "csv", make: async () => new Blob([table()], { type: "text/csv" }) },
  ],
});

/** The title of a chart as the name of a file. */
const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** A menu that saves a chart. Closes on Escape, and when the focus leaves it. */
export const saveMenu = (files: () => ChartFiles): HTMLElement => {
  const summary = element("summary", { class: "chart-tool" }, "Save");
  const list = element("div", { class: "save-files" });
  const menu = element("details", { class: "save" }, summary, list);
  const close = (): void => {
    menu.open = false;
    summary.focus();
  };
  menu.addEventListener("toggle", () => {
    if (!menu.open) return;
    const { name, files: made } = files();
    const buttons = made.map(({ type, make }) => {
      const button = element("button", { type: "button" }, type.toUpperCase());
      button.addEventListener("click", () => {
        close();
        void make().then((blob) => download(`${name}.${type}`, blob));
      });
      return button;
    });
    list.replaceChildren(...buttons);
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) close();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
  });
  return menu;
};

/** How long the browser may take to start a download. */
const DOWNLOAD_MS = 60_000;

const download = (name: string, blob: Blob): void => {
  const href = URL.createObjectURL(blob);
  const link = element("a", { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_MS);
};
