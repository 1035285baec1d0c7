import type { Trajectories } from "../../experiment/shown-experiment.ts";
import type { Publication, PublishedRun } from "../../published/publication.ts";
import { answerBy } from "../dashboard/api.ts";
import { showPage } from "../dashboard/app.ts";
import { PublishedRuns } from "./published-runs.ts";

const textOf = (id: string): string | null => document.getElementById(id)?.textContent ?? null;

/** Packed data is the base64 of gzip-compressed JSON. */
const unpacked = async <Value>(text: string): Promise<Value> => {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  // A call for each character would take a second for a large run.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
};

const publication: Publication = JSON.parse(textOf("publication") ?? "null");

/** Opens the page that has the run of the address, if that is another page. */
const toItsPage = (): void => {
  const [, run] = /^#\/runs\/([^/?]+)/.exec(location.hash) ?? [];
  const { pages, index } = publication;
  const page = run === undefined ? index : (pages[decodeURIComponent(run)] ?? "");
  if (page !== "") location.replace(`${page}${location.hash}`);
};

/** The first thing to show: the results of the experiment, or else the only run of the page. */
const firstPlace = (): string => {
  if (publication.experiment !== null) return "#/experiment";
  const [only, ...others] = document.querySelectorAll('script[id^="run "]');
  if (only === undefined || others.length > 0) return "#/";
  return `#/runs/${encodeURIComponent(only.id.slice("run ".length))}`;
};

if (location.hash === "") history.replaceState(null, "", firstPlace());
addEventListener("hashchange", toItsPage);
toItsPage();
const runs = new Map<string, Promise<PublishedRun>>();
answerBy(
  new PublishedRuns(publication, {
    run: (run) => {
      const text = textOf(`run ${run}`);
      if (text === null) return Promise.resolve(null);
      const unpacking = runs.get(run) ?? unpacked<PublishedRun>(text);
      runs.set(run, unpacking);
      return unpacking;
    },
    trajectories: () => unpacked<Trajectories>(textOf("trajectories") ?? ""),
  }),
);
showPage();
