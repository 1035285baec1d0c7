import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { exactTimeText } from "../../../../../text/index.ts";
import { Facts, Json, Text } from "../../../parts/parts.ts";
import { dollarText, fieldsOf, jsonText, numberText } from "../../../parts/text.ts";
import type { EventRow } from "../../api.ts";
import { ArtifactLink, Link, PrincipalLink, type ViewParts } from "../../view.ts";

type Narrow = (part: { readonly kind?: string; readonly principal?: string }) => void;

type DetailParts = {
  readonly event: EventRow | null;
  readonly parts: ViewParts;
  /** Shows only the events of a kind or of a principal. */
  readonly narrow: Narrow;
};

/** An event in full: what it says, each of its fields, and last its JSON. */
export const EventDetail = ({ event, parts, narrow }: DetailParts) => {
  if (event === null) {
    return html`<section class="picked is-empty" aria-label="Selected event">
      <p class="note">Choose an event to see all of it here. The arrow keys move through the
        list.</p>
    </section>`;
  }
  const { seq, at_ms, kind, principal, body, says } = event;
  return html`
    <section class="picked" aria-label="Selected event" aria-live="polite">
      <p class="picked-says"><bdi>${says}</bdi></p>
      <${Facts} facts=${[
        ["event", numberText(seq)],
        ["time", exactTimeText(at_ms)],
        ["kind", kind],
        [
          "caused by",
          principal === null
            ? "the world"
            : html`<${PrincipalLink} id=${principal} parts=${parts} />`,
        ],
      ]} />
      <p class="tools">
        <${Link} to=${{ ...parts.address, at: seq }}>Go to this moment<//>
        <button type="button" onClick=${() => narrow({ kind })}>Only this kind</button>
        ${
          principal !== null &&
          html`<button type="button" onClick=${() => narrow({ principal })}>Only ${principal}
          </button>`
        }
      </p>
      <dl class="event-fields">
        ${Object.entries(fieldsOf(body)).map(
          ([name, value]) => html`<div key=${name}>
            <dt>${name.replaceAll("_", " ")}</dt>
            <dd>${fieldValue([name, value], parts)}</dd>
          </div>`,
        )}
      </dl>
      <${Json} title="As JSON" value=${body} />
    </section>
  `;
};

/** Longer texts and values of several parts get a box of their own. */
const LINE_CHARS = 120;

const ARTIFACTS: ReadonlySet<string> = new Set(["artifact_id", "target", "contract"]);

const fieldValue = (
  [name, value]: readonly [string, unknown],
  parts: ViewParts,
): ComponentChildren => {
  if (value === null || value === "") return html`<span class="note">none</span>`;
  if (typeof value === "number") return numberOf(name, value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && value.length <= LINE_CHARS && !value.includes("\n")) {
    if (parts.agents.has(value)) return html`<${PrincipalLink} id=${value} parts=${parts} />`;
    if (ARTIFACTS.has(name)) return html`<${ArtifactLink} id=${value} parts=${parts} />`;
    return html`<bdi>${value}</bdi>`;
  }
  const text = typeof value === "string" ? value : shortJson(value);
  return text.length <= LINE_CHARS && !text.includes("\n")
    ? html`<bdi>${text}</bdi>`
    : html`<${Text} label=${name} text=${text} />`;
};

const numberOf = (name: string, value: number): string => {
  if (name.endsWith("at_ms") || name === "until_ms") return exactTimeText(value);
  return name.endsWith("micros") ? dollarText(value) : numberText(value);
};

/** JSON on one line if it is short. */
const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= LINE_CHARS ? text : jsonText(value);
};
