import "../base.css";
import "./dashboard.css";
import "./lists.css";
import "../parts/printable-text.ts";
import { html } from "htm/preact";
import { type FunctionComponent, render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunReviews } from "../../../read/index.ts";
import { countText, numberText, printable } from "../../../text/index.ts";
import type { Publication, PublishedCheck } from "../../published/publication.ts";
import type { Tick } from "../../routes/index.ts";
import { Alert, Badge, Button, Pending, ShownProblem, TabBar } from "../parts/parts.ts";
import { AgentsView } from "./agents.ts";
import { ArtifactsView } from "./artifacts.ts";
import { BooksView } from "./books.ts";
import { CompareView } from "./compare.ts";
import {
  type Address,
  EXPERIMENT_VIEW,
  go,
  hashOf,
  SEAT_VIEW,
  useAddress,
} from "./core/address.ts";
import { ask, isPublished, type Live, useAnswer, useLive } from "./core/api.ts";
import { Controls, hasStopped } from "./core/controls.ts";
import { type RunsAnswer, ViewContext } from "./core/view.ts";
import { EventsView } from "./events.ts";
import { ExperimentView } from "./experiment.ts";
import { MessagesView } from "./messages.ts";
import { MomentsView } from "./moments.ts";
import { Overview } from "./overview.ts";
import { ReviewsView } from "./reviews.ts";
import { RunsList } from "./runs-list.ts";
import { SeatPage } from "./seats.ts";
import { TimeBar } from "./time/time-bar.ts";
import { TradeView } from "./trade.ts";
// This comes last, because it overrides the other style sheets.
import "../media.css";

type View = {
  readonly name: string;
  readonly title: string;
  readonly View: FunctionComponent;
  /** True if the view does not depend on the displayed moment. */
  readonly isOfAllTime?: boolean;
};

const FIRST: View = { name: "overview", title: "Overview", View: Overview };

const REVIEWS: View = { name: "reviews", title: "Reviews", View: ReviewsView };

const VIEWS: readonly View[] = [
  FIRST,
  { name: "agents", title: "Agents", View: AgentsView },
  { name: "artifacts", title: "Artifacts", View: ArtifactsView },
  { name: "network", title: "Trade", View: TradeView },
  { name: "books", title: "Books", View: BooksView },
  { name: "moments", title: "Moments", View: MomentsView },
  { name: "messages", title: "Messages", View: MessagesView },
  REVIEWS,
  { name: "events", title: "Events", View: EventsView },
  { name: "compare", title: "Compare", View: CompareView, isOfAllTime: true },
];

const viewNamed = (name: string): View => VIEWS.find((view) => view.name === name) ?? FIRST;

const App = () => {
  const address = useAddress();
  const { run, view, item } = address;
  const isSeat = run !== null && view === SEAT_VIEW && item !== null;
  return html`
    <a class="skip" href="#content" onClick=${toContent}>Skip to content</a>
    ${
      isSeat
        ? html`<${SeatPage} key=${`${run} ${item}`} run=${run} agent=${item} />`
        : html`<${RunsPage} address=${address} />`
    }
  `;
};

/** The title of the page that was loaded. */
const TITLE = document.title;

const RunsPage = ({ address }: { readonly address: Address }) => {
  const live = useLive(address.run);
  const refreshes = useRefreshes(address.run === null && !isPublished());
  const version = `${address.run} ${live.tick?.status} ${refreshes}`;
  const runs = useAnswer<RunsAnswer>("/runs", version);
  useEffect(() => {
    document.title = address.run === null ? TITLE : `${printable(address.run)} · catallaxy`;
  }, [address.run]);
  return html`
    <header class="top">
      <div class="top-line">
        <a class="brand" href="#/">catallaxy</a>
        ${
          address.run === null
            ? html`<h1 class="run-name">${titleOf(address)}</h1>`
            : html`<${ExperimentCrumb} runs=${runs.value} />
                <${RunName} address=${address} live=${live} />`
        }
      </div>
      ${
        address.run !== null &&
        live.tick !== null &&
        html`<${Tabs} address=${address} tick=${live.tick} />`
      }
    </header>
    <main id="content" tabindex="-1">
      <${Alert} problem=${runs.problem} />
      ${
        address.run === null
          ? html`<${Folder} address=${address} runs=${runs.value} />`
          : html`<${RunPage} key=${address.run} address=${address} live=${live}
              runs=${runs.value} />`
      }
    </main>
  `;
};

const titleOf = ({ view }: Address): string =>
  view === EXPERIMENT_VIEW ? "Experiment" : "All runs";

const REFRESH_MS = 4_000;

/** Counts up while `isOn`, so that the list of runs shows new runs and events. */
const useRefreshes = (isOn: boolean): number => {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const refresh = (): void => {
      if (!document.hidden) setCount((before) => before + 1);
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [isOn]);
  return count;
};

type FolderParts = { readonly address: Address; readonly runs: RunsAnswer | null };

/** What belongs to no single run: the list of runs, or the experiment that made them. */
const Folder = ({ address, runs }: FolderParts) =>
  address.view === EXPERIMENT_VIEW
    ? html`<p><a href="#/">All runs</a></p>
      <${ExperimentView} address=${address} runs=${runs} />`
    : html`<${RunsList} answer=${runs} />`;

/** The way from a run back to the experiment that made it. */
const ExperimentCrumb = ({ runs }: Pick<FolderParts, "runs">) => {
  const name = runs?.experiment?.name;
  if (name === undefined) return null;
  const href = hashOf({ run: null, view: EXPERIMENT_VIEW, item: null, at: null });
  return html`<span class="crumb">
    <a href=${href} title=${`Experiment ${name}`}><bdi>${name}</bdi></a> /</span>`;
};

type OfRun = { readonly address: Address; readonly live: Live };

const RunName = ({ address, live: { tick, isConnected } }: OfRun) => {
  const isLost = tick !== null && !isConnected;
  return html`
    <h1 class="run-name"><bdi>${address.run ?? ""}</bdi></h1>
    ${
      isLost
        ? html`<span class="badge is-lost" role="status">connection lost</span>`
        : tick !== null && html`<${Badge} status=${statusOf(tick)} />`
    }
    ${tick?.is_over && html`<span role="status">${endText(address, tick)}</span>`}
  `;
};

/** Says whether the run or only the dashboard has ended, and how to continue if possible. */
const endText = ({ run }: Address, { status }: Tick): string => {
  switch (status) {
    case "finished":
      return "the run has ended";
    case "stopped":
      return `the run has ended (stopped${hasStopped() ? " by you" : ""}); sim resume ${run}`;
    default:
      return `the dashboard has ended; restart it with sim dashboard ${run}`;
  }
};

const statusOf = ({ pace, status }: Tick): string =>
  pace === "paused" || pace === "stepping" ? pace : status;

type TabsParts = { readonly address: Address; readonly tick: Tick };

const Tabs = ({ address, tick: { waiting } }: TabsParts) => {
  const { name: current } = viewNamed(address.view);
  const views = useViews(address);
  return html`
    <${TabBar} label="Views" current=${current}>
      ${views.map(
        ({ name, title }) => html`<a key=${name}
          href=${hashOf({ ...address, view: name, item: null })}
          aria-current=${current === name ? "page" : undefined}
        >${title}${name === REVIEWS.name && html`<${Mark} count=${waiting} />`}</a>`,
      )}
    <//>
    <span class="unseen" role="status">${waiting > 0 && waitingText(waiting)}</span>
  `;
};

/** The views of a run. A published page shows reviews only if there were any. */
const useViews = ({ run }: Address): readonly View[] => {
  const asked = isPublished() && run !== null ? `/runs/${encodeURIComponent(run)}/reviews` : null;
  const { value } = useAnswer<RunReviews>(asked);
  const hasReviews = value !== null && value.reviewed_total + value.waiting.length > 0;
  return asked === null || hasReviews ? VIEWS : VIEWS.filter((view) => view !== REVIEWS);
};

/** The number of actions that wait for a reviewer, so that a person in another view sees it. */
const Mark = ({ count }: { readonly count: number }) =>
  count === 0
    ? null
    : html`${" "}<span class="mark" title=${waitingText(count)}>${numberText(count)}</span>`;

const waitingText = (count: number): string =>
  `${countText(count, "action")} ${count === 1 ? "waits" : "wait"} for a review`;

/** Limits `address.at` to the events of the run. Replaces the last event by null (now). */
const withinRun = (address: Address, { first_seq: first, seq: last }: Tick): Address => {
  if (address.at === null) return address;
  return { ...address, at: address.at >= last ? null : Math.max(first, address.at) };
};

/** Replaces a moment such as `300s` in the address by its event. Returns why not, or null. */
const useMomentAsEvent = (address: Address, path: string): string | null => {
  const { moment } = address;
  const asked = moment === undefined ? null : `${path}/moment?at=${encodeURIComponent(moment)}`;
  const { value, problem } = useAnswer<Pick<Tick, "seq">>(asked);
  useEffect(() => {
    if (value === null || asked === null) return;
    const { moment: _, ...others } = address;
    go({ ...others, at: value.seq }, "replace");
  }, [value]);
  return problem;
};

type RunPageParts = OfRun & { readonly runs: RunsAnswer | null };

const RunPage = ({ address: asked, live, runs }: RunPageParts) => {
  const { tick } = live;
  const path = `/runs/${encodeURIComponent(asked.run ?? "")}`;
  const named = useAnswer<{ agents: readonly string[] }>(
    tick === null ? null : `${path}/names`,
    tick?.agents,
  );
  const agents = useMemo(() => new Set(named.value?.agents), [named.value]);
  const momentProblem = useMomentAsEvent(asked, path);
  if (tick === null) {
    return html`
      <${Pending} problem=${live.problem} />
      ${live.problem !== null && html`<p><a href="#/">All runs</a></p>`}
    `;
  }
  if (asked.moment !== undefined) {
    const { moment: _, ...now } = asked;
    return html`
      <${Pending} problem=${momentProblem} />
      ${momentProblem === null ? null : html`<p><a href=${hashOf(now)}>Now</a></p>`}
    `;
  }
  const address = withinRun(asked, tick);
  const { View, isOfAllTime = false } = viewNamed(address.view);
  return html`
    <div class=${`run-bar ${isPublished() ? "is-published" : ""}`}>
      ${isOfAllTime ? null : html`<${TimeBar} address=${address} tick=${tick} path=${path} />`}
      ${
        isPublished()
          ? html`<${PublishedBar} path=${path} />`
          : html`<${Controls} tick=${tick} isLive=${runs?.live === address.run}
              address=${address} path=${path} />`
      }
    </div>
    <${Alert} problem=${live.problem} />
    <${ShownProblem.Provider} value=${live.problem}>
      <${ViewContext.Provider} value=${{ address, tick, path, runs, agents }}><${View} /><//>
    <//>
  `;
};

export const showPage = (): void => {
  const place = document.getElementById("page");
  if (place === null) return;
  keepFocus(place);
  render(html`<${App} />`, place);
};

/** The elements that can get the focus if one in them disappears. */
const FALLBACKS = "[tabindex], section, form, main";

/**
 * Keeps the focus on the page. If the element with the focus disappears, for example because
 * another view is shown, its nearest ancestor that is still on the page and can get the focus gets
 * it. Without this, the next Tab would start at the top of the page.
 */
const keepFocus = (page: HTMLElement): void => {
  let ancestors: readonly HTMLElement[] = [];
  page.addEventListener("focusin", ({ target }) => {
    ancestors = target instanceof Element ? ancestorsOf(target) : [];
  });
  page.addEventListener("focusout", ({ target }) => {
    queueMicrotask(() => {
      // The element is still there: a person has clicked elsewhere, or has left the page.
      const isThere = target instanceof Node && target.isConnected;
      if (isThere && document.activeElement === document.body) ancestors = [];
    });
  });
  new MutationObserver(() => {
    if (ancestors.length === 0 || document.activeElement !== document.body) return;
    const fallback = ancestors.find((each) => each.isConnected && each.matches(FALLBACKS));
    ancestors = [];
    if (fallback === undefined) return;
    if (!fallback.hasAttribute("tabindex")) fallback.tabIndex = -1;
    fallback.focus({ preventScroll: true });
  }).observe(page, { childList: true, subtree: true });
};

/** Moves the focus to the content. Following the link would open another view. */
const toContent = (event: Event): void => {
  event.preventDefault();
  document.getElementById("content")?.focus();
};

/** An element and all its ancestors, the innermost first. */
const ancestorsOf = (of: Element): readonly HTMLElement[] => {
  const found: HTMLElement[] = [];
  for (let each: Element | null = of; each !== null; each = each.parentElement) {
    if (each instanceof HTMLElement) found.push(each);
  }
  return found;
};

/** What a published page leaves out, and the button that verifies its run. */
const PublishedBar = ({ path }: { readonly path: string }) => {
  const { value: publication } = useAnswer<Publication>("/publication");
  const [said, say] = useState("");
  const verify = (): void => {
    say("verifying …");
    void ask<PublishedCheck>(`${path}/verify`).then(({ value, problem }) =>
      say(value === null ? (problem ?? "") : checkText(value)),
    );
  };
  return html`
    <div class="controls">
      <span class="note">${publication === null ? "" : aboutText(publication)}</span>
      <${Button} class="control" isOff=${false} onClick=${verify}>Verify<//>
    </div>
    <p class="said" role="status">${said}</p>
  `;
};

const aboutText = ({ version, left_out: leftOut }: Publication): string => {
  const without = leftOut.length === 0 ? "" : `, without ${leftOut.join(", ")}`;
  return `published by catallaxy ${version}${without}`;
};

const HASH_CHARS = 12;

const checkText = ({ problem, events, redacted, head, state_hash }: PublishedCheck): string => {
  if (problem !== null) return `not valid: ${problem}`;
  const end = `the chain ends with ${head.slice(0, HASH_CHARS)}`;
  const state = `the state hash is ${state_hash.slice(0, HASH_CHARS)}`;
  if (redacted === 0) return `valid: ${countText(events, "event")}, ${end}, ${state}`;
  const part = `${numberText(events - redacted)} of ${countText(events, "event")}`;
  return `valid as far as it can be checked: ${part}, ${end}, ${state}; the others lost texts`;
};
