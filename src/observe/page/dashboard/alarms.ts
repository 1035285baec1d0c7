import { html } from "htm/preact";
import type { OverviewOfRun } from "../../dashboard/index.ts";
import { shown, timeText } from "./words.ts";

type AlarmParts = { readonly rings: OverviewOfRun["alarms"]; readonly atMs: number };

/** The alarms about the economy that ring at a moment. */
export const Alarms = ({ rings, atMs }: AlarmParts) => {
  const ringing = rings.filter(
    ({ from_ms, to_ms }) => from_ms <= atMs && (to_ms === null || to_ms > atMs),
  );
  if (ringing.length === 0) return null;
  return html`
    <ul class="alarms" aria-label="Alarms">
      ${ringing.map(
        ({ alarm, from_ms, cause }) => html`<li>
          <strong>${alarm.replaceAll("_", " ")}</strong> since ${timeText(from_ms / 1_000)}:
          ${" "}<bdi>${shown(cause)}</bdi>
        </li>`,
      )}
    </ul>
  `;
};
