import type { Publication } from "../../published/publication.ts";
import { showPage } from "../dashboard/app.ts";
import { addressIn } from "../dashboard/core/address.ts";
import { answerBy, type Server } from "../dashboard/core/api.ts";
import type { PublishedRequest, PublishedResponse, PublishedStart } from "./worker.ts";

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? "";

const publication: Publication = JSON.parse(textOf("publication"));

const RUN = "run ";

/** The packed runs of this page, by run. */
const runs: ReadonlyMap<string, string> = new Map(
  [...document.querySelectorAll(`script[id^="${RUN}"]`)].map(({ id, textContent }) => [
    id.slice(RUN.length),
    textContent ?? "",
  ]),
);

const CANNOT_START =
  "this browser does not run the worker of this page, which reads its runs; open it in a current " +
  "Chromium, Firefox or Safari";

/** Reads the runs of the page in a worker, so that the page can draw meanwhile. */
class WorkerServer implements Server {
  readonly isPublished = true;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (response: Response) => void>();
  #asked = 0;
  #problem: string | null = null;
  #hasAnswered = false;

  constructor(start: PublishedStart) {
    const code = new Blob([textOf("worker")], { type: "text/javascript" });
    this.#worker = new Worker(URL.createObjectURL(code));
    this.#worker.addEventListener("message", ({ data }: MessageEvent<PublishedResponse>) => {
      this.#hasAnswered = true;
      this.#waiting.get(data.id)?.(new Response(data.body, { status: data.status }));
      this.#waiting.delete(data.id);
    });
    this.#worker.addEventListener("error", ({ message }) => {
      this.#problem = this.#hasAnswered
        ? `the worker of this page has failed: ${message}; reload the page`
        : CANNOT_START;
      for (const resolve of this.#waiting.values()) resolve(failure(this.#problem));
      this.#waiting.clear();
    });
    this.#worker.postMessage(start);
  }

  answer(path: string): Promise<Response> {
    if (this.#problem !== null) return Promise.resolve(failure(this.#problem));
    this.#asked += 1;
    const request: PublishedRequest = { id: this.#asked, path };
    return new Promise((resolve) => {
      this.#waiting.set(request.id, resolve);
      this.#worker.postMessage(request);
    });
  }
}

const failure = (problem: string): Response => Response.json({ problem }, { status: 500 });

/** Opens the page that has the run of the address, if that is another page. */
const toItsPage = (): void => {
  const { run } = addressIn(location.hash);
  const { pages, index } = publication;
  if (run !== null && !Object.hasOwn(pages, run)) return;
  const page = run === null ? index : pages[run];
  if (page) location.replace(`${page}${location.hash}`);
};

/** The first thing to show: the results of the experiment, or else the only run of the page. */
const firstPlace = (): string => {
  if (publication.experiment !== null) return "#/experiment";
  const [only, ...others] = runs.keys();
  if (only === undefined || others.length > 0) return "#/";
  return `#/runs/${encodeURIComponent(only)}`;
};

if (location.hash === "") history.replaceState(null, "", firstPlace());
addEventListener("hashchange", toItsPage);
toItsPage();
answerBy(new WorkerServer({ publication, runs, trajectories: textOf("trajectories") }));
showPage();
