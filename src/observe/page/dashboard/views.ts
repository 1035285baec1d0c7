import type { FunctionComponent } from "preact";
import type { Tick } from "../../dashboard/index.ts";
import type { Address } from "./address.ts";
import { AgentsView } from "./agents-view.ts";
import type { RunsAnswer } from "./app.ts";
import { ArtifactsView } from "./artifacts-view.ts";
import { BooksView } from "./books-view.ts";
import { CompareView } from "./compare-view.ts";
import { EventsView } from "./events-view.ts";
import { NetworkView } from "./network-view.ts";
import { Overview } from "./overview.ts";

/** What every view is given. */
export type ViewParts = {
  readonly address: Address;
  readonly tick: Tick;
  /** Of the run, for questions to the server. */
  readonly path: string;
  readonly runs: RunsAnswer | null;
  /** Everybody who thinks; whoever else holds money is a program. */
  readonly agents: ReadonlySet<string>;
};

type View = {
  readonly name: string;
  readonly title: string;
  readonly View: FunctionComponent<ViewParts>;
  /** Whether what it shows is of no moment. */
  readonly isOfAllTime?: boolean;
};

/** In the order of the tabs. */
export const VIEWS: readonly View[] = [
  { name: "overview", title: "Overview", View: Overview },
  { name: "agents", title: "Agents", View: AgentsView },
  { name: "artifacts", title: "Artifacts", View: ArtifactsView },
  { name: "network", title: "Trade", View: NetworkView },
  { name: "books", title: "Books", View: BooksView },
  { name: "events", title: "Events", View: EventsView },
  { name: "compare", title: "Compare", View: CompareView, isOfAllTime: true },
];

const FIRST: View = { name: "overview", title: "Overview", View: Overview };

export const viewNamed = (name: string): View => VIEWS.find((view) => view.name === name) ?? FIRST;
