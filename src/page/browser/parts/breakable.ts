import { html } from "htm/preact";
import type { ComponentChildren } from "preact";

/** Lets a browser break a long id before a word in it. A copy of the text is the same. */
export const breakable = (text: string): ComponentChildren => {
  const parts = text.split(/(?<=\w[_\-.:/])(?=[A-Za-z])/);
  return parts.map((part, at) => (at === 0 ? part : [html`<wbr />`, part]));
};
