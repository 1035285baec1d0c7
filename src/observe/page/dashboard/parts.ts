import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { CountedFrom } from "../../metrics/index.ts";
import { type Address, hashOf } from "./address.ts";
import type { ViewParts } from "./views.ts";
import { jsonText, numberText, shown, timeText } from "./words.ts";

type Titled = {
  readonly title: string;
  readonly note?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
};

/** One matter with its heading. */
export const Panel = ({ title, note, class: kind = "", children }: Titled) => html`
  <section class=${`panel ${kind}`} aria-label=${title}>
    <h2>${title}</h2>
    ${note === undefined ? null : html`<p class="note">${note}</p>`}
    ${children}
  </section>
`;

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names with their values. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => html`
  <dl class="facts">
    ${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}
  </dl>
`;

/** A text as it was written, whatever stands in it. */
export const Text = ({ text, label }: { readonly text: string; readonly label: string }) => html`
  <pre class="text" tabindex="0" aria-label=${label}><bdi>${shown(text)}</bdi></pre>
`;

type Folded = {
  readonly title: string;
  readonly open?: boolean;
  readonly children?: ComponentChildren;
};

/** What most people do not need to see at once. */
export const Fold = ({ title, open = false, children }: Folded) => html`
  <details class="fold" open=${open}><summary>${title}</summary>${children}</details>
`;

type Valued = { readonly title: string; readonly value: unknown; readonly open?: boolean };

export const Json = ({ title, value, open = false }: Valued) => html`
  <${Fold} title=${title} open=${open}>
    <pre class="text" tabindex="0" aria-label=${title}><bdi>${jsonText(value)}</bdi></pre>
  <//>
`;

type Linked = { readonly to: Address; readonly children?: ComponentChildren };

export const Link = ({ to, children }: Linked) => html`
  <a class="link" href=${hashOf(to)}><bdi>${children}</bdi></a>
`;

/** Where whoever holds money is shown: an agent on its own page, a program on that of its code. */
export const placeOf = ({ address, agents }: Placing, id: string): Address => ({
  ...address,
  view: agents.has(id) ? "agents" : "artifacts",
  item: id,
});

type Placing = Pick<ViewParts, "address" | "agents">;

type Named = { readonly id: string; readonly parts: Placing };

/** A principal by name, with the way to its page. */
export const Principal = ({ id, parts }: Named) => html`
  <${Link} to=${placeOf(parts, id)}>${shown(id)}<//>
`;

/** An artifact by name, with the way to its page. */
export const ArtifactLink = ({ id, parts }: Named) => html`
  <${Link} to=${{ ...parts.address, view: "artifacts", item: id }}>${shown(id)}<//>
`;

/** That a run goes on from another, and from where on its figures count. */
export const Origin = ({ from }: { readonly from: CountedFrom }) =>
  from.run === null
    ? null
    : html`<p class="origin">Forked from${" "}
        <a href=${hashOf({ run: from.run, view: "overview", item: null, at: null })}>
          <bdi>${shown(from.run)}</bdi></a>:
        ${" "}figures count from event ${numberText(from.seq)},
        ${" "}${timeText(from.at_ms / 1_000)}.</p>`;

/** What cannot be shown, and why. */
export const Problem = ({ problem }: { readonly problem: string | null }) =>
  problem === null ? null : html`<p class="problem" role="alert">${shown(problem)}</p>`;

export const Waiting = () => html`<p class="note" aria-live="polite">…</p>`;

/** The state of an agent, or of a run. */
export const Badge = ({ state }: { readonly state: string }) => html`
  <span class=${`badge is-${state}`}>${state}</span>
`;
