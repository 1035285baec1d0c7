import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import { SESSION_ID } from "../../mind/index.ts";
import { RunFailure } from "../../run/index.ts";
import { shortened } from "../../text/index.ts";
import { identityOf, isAlive } from "../../world/index.ts";
import { killMarked } from "../program/marked-processes.ts";
import { isLink } from "../program/working-folder.ts";
import type { MomentRecord } from "./work-moments.ts";

const stateSchema = z.strictObject({
  actor_id: z.string(),
  status: z.enum(["ready", "running"]),
  /** What it does: `waiting`, `thinking`, or the name of a tool. */
  activity: z.string(),
  /** The process that runs the task, or null. */
  process: z.strictObject({ pid: z.int(), host: z.string(), startedAt: z.string() }).nullable(),
  /** In the environment of all processes of the task. */
  mark: z.string(),
  provider: z.string().nullable(),
  session_id: z.string().regex(SESSION_ID).nullable(),
  reported: z.strictObject({ input_tokens: z.int(), output_tokens: z.int() }),
  /** Where the last `cd` of the agent has led, or null. */
  cwd: z.string().nullable(),
  moments: z.int(),
  last_moment: z.string().nullable(),
  updated_at: z.iso.datetime(),
});
type WorkState = Readonly<z.infer<typeof stateSchema>>;

type Change = Partial<Omit<WorkState, "actor_id" | "process" | "updated_at">>;

/**
 * What is kept of the work of one agent in a folder: its state in `.catallaxy/work/AGENT.json`, and
 * the moments of all agents in `.catallaxy/work/moments.jsonl`.
 */
export class WorkFolder {
  readonly #folder: string;
  readonly #file: string;
  readonly #parent: string;
  #state: WorkState;

  /** @throws RunFailure if the state is damaged, a path is a link, or the agent is at work. */
  constructor(folder: string, agent: string) {
    this.#parent = join(folder, ".catallaxy");
    this.#folder = join(this.#parent, "work");
    this.#file = join(this.#folder, `${agent}.json`);
    this.#make();
    this.#state = stateIn(this.#file) ?? newState(agent);
    const { process, status } = this.#state;
    if (status === "running" && process !== null && isAlive(process)) {
      const cure = "wait until it has ended, or stop it";
      throw new RunFailure(`${agent} is at work in process ${process.pid}; ${cure}`, false);
    }
  }

  get state(): WorkState {
    return this.#state;
  }

  /** Ends what a process that died has left. Returns a note about it, or null. */
  clear(): string | null {
    const { status, mark, actor_id } = this.#state;
    if (status === "ready") return null;
    const left = killMarked(mark);
    const processes = left === 1 ? "1 process of it was" : `${left} processes of it were`;
    const what = left === 0 ? "" : `; ${processes} ended`;
    return `the last task of ${actor_id} was cut off${what}`;
  }

  /** The status is `running`, by this process. */
  begin(pid: number, change: Change): void {
    this.#write({ ...change, status: "running" }, identityOf(pid));
  }

  /** A change while the agent works. Never throws: the end of the task writes it all again. */
  update(change: Change): void {
    try {
      this.#write(change, this.#state.process);
    } catch {
      // The agent can have made the folder unusable. That must not stop it in the middle.
    }
  }

  /** The status is `ready`. The session stays known, so that the next task can continue it. */
  end(change: Change): void {
    this.#write({ ...change, status: "ready", activity: "waiting" }, null);
  }

  record(records: readonly MomentRecord[]): void {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const flags = O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0);
    this.#make();
    const opened = openSync(join(this.#folder, "moments.jsonl"), flags, 0o666);
    writeFileSync(opened, records.map((each) => `${JSON.stringify(each)}\n`).join(""));
    closeSync(opened);
  }

  /** The agent works in the same folder, and can delete what is in it. */
  #make(): void {
    refuseLink(this.#parent);
    refuseLink(this.#folder);
    mkdirSync(this.#folder, { recursive: true });
  }

  /** A draft replaces the file as a whole, also if the file is a link. */
  #write(change: Change, process: WorkState["process"]): void {
    const updated_at = new Date().toISOString();
    this.#state = { ...this.#state, ...change, process, updated_at };
    this.#make();
    const draft = `${this.#file}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(this.#state, null, 2)}\n`, { flag: "wx" });
    renameSync(draft, this.#file);
  }
}

const refuseLink = (path: string): void => {
  if (isLink(path)) throw new RunFailure(`${path} is a link; delete it`);
};

/** Null if there is no file. @throws RunFailure if it is damaged. */
const stateIn = (file: string): WorkState | null => {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  refuseLink(file);
  if (!found.isFile()) throw damaged(file, "it is not a file");
  const value = jsonIn(readFileSync(file, "utf8"));
  if (value === undefined) throw damaged(file, "it is not JSON");
  const read = stateSchema.safeParse(value);
  if (read.success) return read.data;
  const { path = [], message = "" } = read.error.issues[0] ?? {};
  const problem = path.length === 0 ? message : `${path.join(".")}: ${message}`;
  throw damaged(file, shortened(problem, 200));
};

/** Without its state, an agent would begin a new life under the names of its old moments. */
const damaged = (file: string, problem: string): RunFailure =>
  new RunFailure(
    `${file} is damaged: ${problem}; repair it, or delete it to start without a session`,
  );

const newState = (actor_id: string): WorkState => ({
  actor_id,
  status: "ready",
  activity: "waiting",
  process: null,
  mark: "",
  provider: null,
  session_id: null,
  reported: { input_tokens: 0, output_tokens: 0 },
  cwd: null,
  moments: 0,
  last_moment: null,
  updated_at: new Date(0).toISOString(),
});
