import { html } from "htm/preact";
import { countText, numberText } from "../../../parts/text.ts";
import type { ViewParts } from "../../view.ts";

/** What a person asks for. Empty texts ask for nothing. */
type TypedMoments = {
  readonly agent: string;
  readonly artifact: string;
  /** `true`: what led to the artifact. Otherwise all moments that touched it. */
  readonly led: string;
  readonly verb: string;
  readonly from: string;
  readonly to: string;
  readonly search: string;
};

export const ANY_MOMENT: TypedMoments = {
  ...{ agent: "", artifact: "", led: "", verb: "", from: "", to: "", search: "" },
};

type FilterParts = {
  readonly typed: TypedMoments;
  readonly set: (typed: TypedMoments) => void;
  readonly verbs: { readonly [verb: string]: number };
  /** The number of moments that match. Null: not known yet. */
  readonly total: number | null;
  readonly parts: ViewParts;
};

export const MomentFilters = ({ typed, set, verbs, total, parts }: FilterParts) => {
  const change = (name: keyof TypedMoments) => (event: Event) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === "checkbox") {
      set({ ...typed, [name]: target.checked ? "true" : "" });
    } else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      set({ ...typed, [name]: target.value });
    }
  };
  return html`
    <div class="tools" role="search">
      <input type="search" aria-label="Agent" placeholder="agent" value=${typed.agent}
        list="moment-agents" onInput=${change("agent")} />
      <datalist id="moment-agents">
        ${[...parts.agents].map((id) => html`<option value=${id}></option>`)}
      </datalist>
      <input type="search" aria-label="Artifact" placeholder="artifact" value=${typed.artifact}
        onInput=${change("artifact")} />
      <label><input type="checkbox" checked=${typed.led === "true"}
        onChange=${change("led")} /> only what led to it</label>
      <select aria-label="Verb" value=${typed.verb} onChange=${change("verb")}>
        <option value="">all verbs</option>
        ${Object.entries(verbs).map(
          ([verb, times]) => html`<option value=${verb}>${verb} (${numberText(times)})</option>`,
        )}
      </select>
      <input type="search" class="is-short" aria-label="From" placeholder="from 2m"
        value=${typed.from} onInput=${change("from")} />
      <input type="search" class="is-short" aria-label="To" placeholder="to 4m"
        value=${typed.to} onInput=${change("to")} />
      <input type="search" aria-label="Search by meaning" placeholder="search by meaning"
        value=${typed.search} onInput=${change("search")} />
      <span class="note" role="status">
        ${total === null ? "…" : countText(total, "moment")}
      </span>
    </div>
  `;
};
