import { html } from "htm/preact";
import type { ProposedAction } from "../../../../routes/index.ts";
import { Json, Text } from "../../../parts/parts.ts";
import { fieldsOf, jsonText } from "../../../parts/text.ts";
import { ArtifactLink, type ViewParts } from "../../view.ts";

type ContentParts = { readonly of: ProposedAction; readonly parts: ViewParts };

/** Why an agent wants to act, and what its action does: each field by its name. */
export const ProposedContent = ({ of: { action, reasoning }, parts }: ContentParts) => {
  const [[kind = "", given] = []] = Object.entries(fieldsOf(action));
  const fields = Object.entries(fieldsOf(given));
  const isArtifact = (name: string, value: unknown): value is string =>
    name === "artifact_id" && typeof value === "string" && value !== "";
  return html`
    ${reasoning !== "" && html`<p class="because"><bdi>${reasoning}</bdi></p>`}
    <dl class="action-fields">
      <div><dt>action</dt><dd><strong>${kind}</strong></dd></div>
      ${fields.map(
        ([name, value]) => html`<div key=${name}>
          <dt>${name.replace("artifact_id", "artifact")}</dt>
          <dd>${
            isArtifact(name, value)
              ? html`<${ArtifactLink} id=${value} parts=${parts} />`
              : html`<${Value} name=${name} value=${value} />`
          }</dd>
        </div>`,
      )}
    </dl>
    <${Json} title="Action as JSON" value=${action} />
  `;
};

const SHORT_CHARS = 80;

type ValueParts = { readonly name: string; readonly value: unknown };

/** A short value stands in the line. A long one, such as a program, has a box with its lines. */
const Value = ({ name, value }: ValueParts) => {
  const isList = Array.isArray(value);
  if (isList && value.length > 0) {
    return html`<ol class="arguments">
      ${value.map((item) => html`<li><${Value} name=${name} value=${item} /></li>`)}
    </ol>`;
  }
  const text = typeof value === "string" ? value : jsonText(value);
  const isShort = text.length <= SHORT_CHARS && !text.includes("\n");
  return isShort
    ? html`<bdi>${text === "" ? "(empty)" : text}</bdi>`
    : html`<${Text} label=${name} text=${text} />`;
};
