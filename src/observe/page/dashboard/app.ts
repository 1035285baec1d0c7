import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunRecord, Tick } from "../../dashboard/index.ts";
import { type Address, hashOf, useAddress } from "./address.ts";
import { useAnswer } from "./ask.ts";
import { Controls, hasStopped } from "./controls.ts";
import { type Live, useLive } from "./live.ts";
import { Badge, Problem, Waiting } from "./parts.ts";
import { RunsView } from "./runs-view.ts";
import { TimeBar } from "./time-bar.ts";
import { VIEWS, viewNamed } from "./views.ts";

export type RunsAnswer = { readonly runs: readonly RunRecord[]; readonly live: string | null };

/** The whole page: which run, which view of it, and at which moment. */
export const App = () => {
  const address = useAddress();
  const live = useLive(address.run);
  const runs = useAnswer<RunsAnswer>("/runs", `${address.run} ${live.tick?.status}`);
  useEffect(() => {
    document.title = address.run === null ? "catallaxy" : `${address.run} · catallaxy`;
  }, [address.run]);
  return html`
    <a class="skip" href="#content" onClick=${toContent}>To the content</a>
    <header class="top">
      <div class="top-line">
        <a class="brand" href="#/">catallaxy</a>
        ${address.run === null ? null : html`<${RunName} address=${address} live=${live} />`}
      </div>
      ${address.run === null || live.tick === null ? null : html`<${Tabs} address=${address} />`}
    </header>
    <main id="content" tabindex="-1">
      ${runs.problem === null ? null : html`<${Problem} problem=${runs.problem} />`}
      ${
        address.run === null
          ? html`<${RunsView} answer=${runs.value} />`
          : html`<${RunPage} key=${address.run} address=${address} live=${live}
              runs=${runs.value} />`
      }
    </main>
  `;
};

/** The address is taken by the views, so the focus is moved without it. */
const toContent = (event: Event): void => {
  event.preventDefault();
  document.getElementById("content")?.focus();
};

type OfRun = { readonly address: Address; readonly live: Live };

const RunName = ({ address, live: { tick, isConnected, isOver } }: OfRun) => html`
  <h1 class="run-name"><bdi>${address.run}</bdi></h1>
  ${tick === null ? null : html`<${Badge} state=${stateOf(tick)} />`}
  ${
    isConnected || isOver || tick === null
      ? null
      : html`<span class="badge is-lost" role="status">connection lost</span>`
  }
  ${isOver && tick !== null ? html`<span role="status">${endText(address, tick)}</span>` : null}
`;

/** Who watched a run of another process may go on watching it with another dashboard. */
const endText = ({ run }: Address, { status }: Tick): string => {
  switch (status) {
    case "finished":
      return "the run has ended";
    case "stopped":
      return `the run has ended (stopped${hasStopped() ? " by you" : ""}); sim resume ${run}`;
    default:
      return `the dashboard has ended; sim dashboard ${run}`;
  }
};

const stateOf = (tick: Tick): string =>
  tick.pace === null || tick.pace === "going" || tick.pace === "over" ? tick.status : tick.pace;

const Tabs = ({ address }: { readonly address: Address }) => {
  const tabs = useRef<HTMLElement>(null);
  const { name: current } = viewNamed(address.view);
  useEffect(() => {
    const nav = tabs.current;
    const tab = nav?.querySelector<HTMLElement>('[aria-current="page"]');
    if (nav === null || tab === null || tab === undefined) return;
    // Scrolled by hand: to scroll it into view would also move where Tab goes on from.
    nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return html`
  <nav class="tabs" aria-label="Views" ref=${tabs}>
    ${VIEWS.map(
      ({ name, title }) => html`<a
        href=${hashOf({ ...address, view: name, item: null })}
        aria-current=${current === name ? "page" : undefined}
      >${title}</a>`,
    )}
  </nav>
`;
};

/** A moment beyond the ends of a run is its end, or its beginning. */
const withinRun = (address: Address, { first_seq: first, seq: last }: Tick): Address => {
  if (address.at === null) return address;
  return { ...address, at: address.at >= last ? null : Math.max(first, address.at) };
};

type RunPageParts = OfRun & { readonly runs: RunsAnswer | null };

const RunPage = ({ address: asked, live, runs }: RunPageParts) => {
  const { tick } = live;
  const address = tick === null ? asked : withinRun(asked, tick);
  const [problem, setProblem] = useState<string | null>(null);
  const path = `/runs/${encodeURIComponent(address.run ?? "")}`;
  const probe = useAnswer<object>(tick === null ? path : null);
  useEffect(() => setProblem(tick === null ? probe.problem : null), [tick === null, probe.problem]);
  const named = useAnswer<{ agents: readonly string[] }>(
    tick === null ? null : `${path}/names`,
    tick?.agents,
  );
  const agents = useMemo(() => new Set(named.value?.agents), [named.value]);
  if (tick === null) {
    return problem === null
      ? html`<${Waiting} />`
      : html`<${Problem} problem=${problem} />
          <p><a href="#/">All runs</a></p>`;
  }
  const { View, isOfAllTime = false } = viewNamed(address.view);
  return html`
    <div class="run-bar">
      ${isOfAllTime ? null : html`<${TimeBar} address=${address} tick=${tick} path=${path} />`}
      <${Controls} tick=${tick} isLive=${runs?.live === address.run} address=${address}
        path=${path} />
    </div>
    <${View} address=${address} tick=${tick} path=${path} runs=${runs}
      agents=${agents} />
  `;
};
