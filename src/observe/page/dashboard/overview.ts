import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import type { OverviewOfRun } from "../../dashboard/index.ts";
import { barChart, lineChart, lorenzChart } from "../charts/index.ts";
import { Alarms } from "./alarms.ts";
import { useAnswer } from "./ask.ts";
import { Drawing } from "./drawn.ts";
import { atQuery, versionOf } from "./moment.ts";
import { Origin, Problem, Waiting } from "./parts.ts";
import { specsOf } from "./specs.ts";
import { tilesOf } from "./tiles.ts";
import type { ViewParts } from "./views.ts";

/** The economy at a glance: its figures, how they came about, and what is wrong with it. */
export const Overview = ({ address, tick, path, agents }: ViewParts) => {
  const { value, problem } = useAnswer<OverviewOfRun>(
    `${path}/overview?${atQuery(address)}`,
    versionOf({ address, tick }),
  );
  const specs = useMemo(
    () => (value === null ? null : specsOf(value, { address, agents })),
    [value, agents],
  );
  if (value === null || specs === null) {
    return problem === null ? html`<${Waiting} />` : html`<${Problem} problem=${problem} />`;
  }
  return html`
    <${Origin} from=${value.counted_from} />
    <dl class="tiles">
      ${tilesOf(value).map(
        ({ name, figure, note }) => html`<div class="tile" key=${name}>
          <dt>${name}</dt>
          <dd><span class="tile-value">${figure}</span> <span class="note">${note}</span></dd>
        </div>`,
      )}
    </dl>
    <${Alarms} rings=${value.alarms} atMs=${value.at_ms} />
    <div class="pictures">
      ${specs.lines.map(
        (spec, at) => html`<section class=${`panel ${at === 0 ? "is-wide" : ""}`} key=${spec.title}>
          <${Drawing} make=${lineChart} spec=${spec} />
        </section>`,
      )}
      <section class="panel"><${Drawing} make=${lorenzChart} spec=${specs.lorenz} /></section>
      ${specs.bars.map(
        (spec) => html`<section class="panel" key=${spec.title}>
          <${Drawing} make=${barChart} spec=${spec} />
        </section>`,
      )}
    </div>
  `;
};
