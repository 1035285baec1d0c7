import { html } from "htm/preact";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { jsonText } from "./text.ts";

type PanelParts = {
  readonly title: string;
  readonly note?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
};

export const Panel = ({ title, note, class: kind = "", children }: PanelParts) => html`
  <section class=${`panel ${kind}`} aria-label=${title}>
    <h2>${title}</h2>
    ${note === undefined ? null : html`<p class="note">${note}</p>`}
    ${children}
  </section>
`;

export type NameAndValue = readonly [name: string, value: ComponentChildren];

export const Facts = ({ facts }: { readonly facts: readonly NameAndValue[] }) => html`
  <dl class="facts">
    ${facts.map(
      ([name, value]) => html`<div><dt>${name}</dt>
        <dd><bdi>${typeof value === "string" ? breakable(value) : value}</bdi></dd></div>`,
    )}
  </dl>
`;

export type Tile = readonly [name: string, figure: string, note: string];

export const Tiles = ({ tiles }: { readonly tiles: readonly Tile[] }) => html`
  <dl class="tiles">
    ${tiles.map(
      ([name, figure, note]) => html`<div class="tile" key=${name}>
        <dt>${name}</dt>
        <dd><span class="tile-value">${figure}</span> <span class="note">${note}</span></dd>
      </div>`,
    )}
  </dl>
`;

export const Text = ({ text, label }: { readonly text: string; readonly label: string }) => html`
  <pre class="text" tabindex="0" aria-label=${label}><bdi>${text}</bdi></pre>
`;

type TabBarParts = {
  readonly label: string;
  readonly class?: string;
  /** The name of the current tab. */
  readonly current: string;
  /** Links. The link of the current tab has `aria-current`. */
  readonly children?: ComponentChildren;
};

/** A row of tabs. Scrolls to the current tab if it does not fit. */
export const TabBar = ({ label, class: kind = "", current, children }: TabBarParts) => {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = bar.current;
    const tab = nav?.querySelector<HTMLElement>('[aria-current="page"]');
    if (nav === null || tab === null || tab === undefined) return;
    // `scrollIntoView` would also move the place where the Tab key continues.
    nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return html`<nav class=${`tabs ${kind}`} aria-label=${label} ref=${bar}>${children}</nav>`;
};

type ButtonParts = {
  readonly isOff: boolean;
  readonly onClick: () => void;
  readonly class?: string;
  readonly children?: ComponentChildren;
};

/** A button that can be off. Unlike a disabled button, it keeps the focus when it is off. */
export const Button = ({ isOff, onClick, children, ...rest }: ButtonParts) => html`
  <button type="button" ...${rest} aria-disabled=${isOff}
    onClick=${() => (isOff ? undefined : onClick())}>${children}</button>
`;

type FoldParts = {
  readonly title: string;
  readonly open?: boolean;
  readonly children?: ComponentChildren;
};

export const Fold = ({ title, open = false, children }: FoldParts) => html`
  <details class="fold" open=${open}><summary>${title}</summary>${children}</details>
`;

type JsonParts = { readonly title: string; readonly value: unknown; readonly open?: boolean };

export const Json = ({ title, value, open = false }: JsonParts) => html`
  <${Fold} title=${title} open=${open}>
    <pre class="text" tabindex="0" aria-label=${title}><bdi>${jsonText(value)}</bdi></pre>
  <//>
`;

/** A problem that the page already shows above its views. */
export const ShownProblem = createContext<string | null>(null);

export const Alert = ({ problem }: { readonly problem: string | null }) => {
  const isShown = useContext(ShownProblem) === problem;
  return isShown || problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`;
};

/** Until a response arrives, shows the problem if there is one, otherwise an ellipsis. */
export const Pending = ({ problem }: { readonly problem: string | null }) =>
  problem === null
    ? html`<p class="note" aria-live="polite">…</p>`
    : html`<${Alert} problem=${problem} />`;

export const Badge = ({ status }: { readonly status: string }) => html`
  <span class=${`badge is-${status}`}>${status}</span>
`;

/** Lets a browser break a long id before a word in it. A copy of the text is the same. */
export const breakable = (text: string): ComponentChildren => {
  const parts = text.split(/(?<=\w[_\-.:/])(?=[A-Za-z])/);
  return parts.map((part, at) => (at === 0 ? part : [html`<wbr />`, part]));
};

/** How many rows to ask for, and a button that asks for `most` if there are more. */
export const useLimit = (first: number, most: number) => {
  const [limit, setLimit] = useState(first);
  const more = (hasMore: boolean) =>
    hasMore &&
    limit < most &&
    html`<button type="button" onClick=${() => setLimit(most)}>Show more</button>`;
  return { limit, more };
};
