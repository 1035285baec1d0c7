import { Hono } from "hono";
import type { Trajectories } from "../../../experiment/index.ts";
import { inSlices, SLICE_MS } from "../../../figures/index.ts";
import { commit } from "../../../kernel/index.ts";
import {
  CopiedJournal,
  isRunEvent,
  type JournalRow,
  playEvent,
  restore,
  stateChunks,
  stateHash,
} from "../../../world/index.ts";
import type { Publication, PublishedCheck, PublishedRun } from "../../published/publication.ts";
import {
  comparedIn,
  type RunOpened,
  RunReader,
  readingRoutes,
  type ServedRun,
  tickOf,
} from "../../routes/index.ts";

/** A state is kept after at least so many events, so that another moment is shown at once. */
const STATE_EVERY_MIN = 2_000;
/** The most states that are kept, because each takes memory. */
const STATES_MAX = 24;

const UNKNOWN_RUN = "this run does not exist";
const UNKNOWN: RunOpened = { ok: false, problem: UNKNOWN_RUN, unknown: true };

const DAMAGED: RunOpened = {
  ok: false,
  problem: "the data of this run was changed or is damaged: it cannot be unpacked",
  unknown: false,
};

/** Reads the packed data of the page. */
type Unpack = {
  /** The data of a run, or null if the page has no such run. */
  readonly run: (run: string) => Promise<PublishedRun | null>;
  readonly trajectories: () => Promise<Trajectories>;
};

/** The runs in a published page. The routes of the dashboard read them, in the browser. */
export class PublishedRuns {
  readonly #publication: Publication;
  readonly #unpack: Unpack;
  readonly #opening = new Map<string, Promise<RunOpened>>();
  readonly #opened = new Map<string, RunOpened>();
  readonly #app: Hono;

  constructor(publication: Publication, unpack: Unpack) {
    this.#publication = publication;
    this.#unpack = unpack;
    this.#app = this.#routes();
  }

  async answer(path: string): Promise<Response> {
    const [, run, others] = /^\/runs\/([^/?]+)(?:\/compare\/([^/?]+))?/.exec(path) ?? [];
    const compared = others === undefined ? [] : comparedIn(decodeURIComponent(others));
    const isOfList = path.endsWith("/summary");
    if (run !== undefined && !isOfList) await this.#open(decodeURIComponent(run));
    for (const id of compared) await this.#open(id);
    return await this.#app.request(path);
  }

  #routes(): Hono {
    const app = new Hono();
    app.notFound((context) => context.json({ problem: "not found" }, 404));
    app.onError((error, context) => context.json({ problem: error.message }, 500));
    const { runs, experiment, experiment_name: name, summaries } = this.#publication;
    app.get("/publication", (context) => context.json(this.#publication));
    app.get("/runs/:run/verify", async (context) => {
      const run = context.req.param("run");
      const [opened, data] = [await this.#open(run), await this.#unpack.run(run)];
      if (!opened.ok || data === null) return context.json({ problem: "" }, 404);
      return context.json(checkOf(opened.run, data));
    });
    const opened = { open: (run: string) => this.#opened.get(run) ?? UNKNOWN };
    const folder = {
      // A published experiment never changes, so it has one version.
      list: () => ({ runs, live: null, experiment: name === null ? null : { name, version: "" } }),
      summaryOf: async (run: string) => {
        const summary = Object.hasOwn(summaries, run) ? summaries[run] : undefined;
        return summary === undefined
          ? ({ ok: false, problem: UNKNOWN_RUN } as const)
          : ({ ok: true, summary } as const);
      },
      experiment: () =>
        experiment === null
          ? ({ ok: false, problem: "no experiment made these runs" } as const)
          : ({ ok: true, experiment } as const),
      trajectories: async (wanted: readonly string[]) => {
        const all = Object.entries(await this.#unpack.trajectories());
        return Object.fromEntries(all.filter(([run]) => wanted.includes(run)));
      },
    };
    return app.route("/", readingRoutes(opened, folder));
  }

  #open(run: string): Promise<RunOpened> {
    const opening = this.#opening.get(run) ?? this.#read(run);
    this.#opening.set(run, opening);
    return opening;
  }

  async #read(id: string): Promise<RunOpened> {
    // What was unpacked can be damaged too.
    const opened = await this.#unpack
      .run(id)
      .then((data) => (data === null ? UNKNOWN : this.#openedFrom(id, data)))
      .then(undefined, () => DAMAGED);
    this.#opened.set(id, opened);
    return opened;
  }

  async #openedFrom(id: string, data: PublishedRun): Promise<RunOpened> {
    const journal = new CopiedJournal(data.journal);
    const read = RunReader.open(journal);
    if (!read.ok) return { ...read, unknown: false };
    const { value: reader } = read;
    await reader.read(() => reader.catchUp());
    void keepStates(journal);
    const status = this.#publication.runs.find((run) => run.run_id === id)?.status ?? "unknown";
    const run: ServedRun = {
      id,
      reader,
      tick: () => tickOf(reader, { status, pace: null, steps: 0, is_over: false }),
      settings: () => ({ ok: true, settings: new Map(data.settings) }),
      turnOf: async () => ({ turn: null }),
    };
    return { ok: true, run };
  }
}

/** Pauses as long as a slice takes, so that the page can draw. */
const pauseSlice = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SLICE_MS));

/** Plays the run once more and keeps states on the way. Pauses between slices for requests. */
const keepStates = async (journal: CopiedJournal): Promise<void> => {
  const first = journal.base()?.seq ?? 0;
  const last = journal.head().seq;
  const every = Math.max(STATE_EVERY_MIN, Math.ceil((last - first) / STATES_MAX));
  const { state } = restore(journal, { upTo: first });
  for (let seq = first + every; seq < last; seq += every) {
    const apply = (row: JournalRow): void => {
      // The reader has read the run, so its events can be applied.
      if (!isRunEvent(row.kind)) playEvent(state, row);
      commit(state);
    };
    await inSlices(journal.events({ after: seq - every, upTo: seq }), apply, pauseSlice);
    const chunks: string[] = [];
    await inSlices(stateChunks(state), (chunk) => chunks.push(chunk), pauseSlice);
    journal.keepSnapshot({ seq, body: chunks.join("") });
  }
};

const checkOf = ({ reader }: ServedRun, data: PublishedRun): PublishedCheck => {
  const chain = reader.journal.verifyChain();
  const hash = stateHash(reader.now.state);
  const problem = chain.ok ? null : chain.detail;
  const differs =
    hash === data.state_hash ? null : "the events lead to another state than the stated one";
  return {
    events: reader.now.seq - reader.base.seq,
    redacted: data.journal.stated.seq.length,
    problem: problem ?? differs,
    head: reader.journal.head().hash,
    state_hash: hash,
  };
};
