import { type ChildProcess, spawn } from "node:child_process";
import { Duplex, type Readable } from "node:stream";
import { z } from "zod";
import { isObject, type Json, jsonIn, jsonProblem, must } from "../../kernel/index.ts";
import type { CodeOutcome, CodeScript } from "../tool/tool.ts";
import { PYTHON } from "./find-python.ts";

/**
 * The program that runs the script of an agent in Python. It reads the script and its limits from
 * the descriptor 4 as one line of JSON, and gets the answers of its calls there. It writes calls
 * and the end of the script to the descriptor 3. What the script prints goes to stdout.
 */
const WRAPPER = String.raw`
import _thread, ast, json, linecache, os, sys, traceback

FILE = "<script>"


class ToolError(Exception):
    """A tool has failed. The text says why."""


def limit(name, most):
    try:
        import resource
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # This system has no such limit.


def send(message):
    rest = (json.dumps(message, allow_nan=False) + "\n").encode()
    while rest:
        rest = rest[os.write(3, rest):]


def function(name, answers, lock):
    def call(**args):
        with lock:
            send({"kind": "call", "name": name, "args": args})
            answer = json.loads(answers.readline())
        if not answer["ok"]:
            raise ToolError(answer["problem"])
        return answer["value"]

    call.__name__ = call.__qualname__ = name
    return call


def run(code, space):
    tree = ast.parse(code, FILE)
    has_value = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
    last = ast.Expression(tree.body.pop().value if has_value else ast.Constant(None))
    exec(compile(tree, FILE, "exec", dont_inherit=True), space)
    last = compile(ast.fix_missing_locations(last), FILE, "eval", dont_inherit=True)
    return eval(last, space)


def shown(value, space):
    found = [each for each in (space.get("result"), value, "") if each is not None]
    return found[0] if isinstance(found[0], str) else repr(found[0])


def told(error):
    """The traceback, with the lines of the script only."""
    try:
        whole = traceback.TracebackException.from_exception(error)
        chain = [whole]
        while chain:
            each = chain.pop()
            own = [frame for frame in each.stack if frame.filename == FILE]
            each.stack = traceback.StackSummary.from_list(own)
            chain.extend(other for other in (each.__cause__, each.__context__) if other)
        return "".join(whole.format()).rstrip()
    except Exception:
        return type(error).__name__


def main():
    answers = open(4, encoding="utf-8", newline="\n")
    task = json.loads(answers.readline())
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    for name, most in task["limits"].items():
        limit(name, most)
    code, chars_max = task["code"], task["chars_max"]
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    lock = _thread.allocate_lock()
    space = {name: function(name, answers, lock) for name in task["functions"]}
    space.update({"__name__": "__main__", "ToolError": ToolError})
    text = problem = ""
    try:
        try:
            value = run(code, space)
        except SystemExit as ended:
            if ended.code not in (None, 0):
                raise
            value = None
        text = shown(value, space)
    except BaseException as error:
        problem = told(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # The script has closed or replaced it.
    send({"kind": "ended", "value": text[:chars_max], "problem": problem[-chars_max:]})


# An exit does not wait for threads of the script.
try:
    main()
except BaseException:
    os._exit(1)
os._exit(0)
`;

/** What a script may do. `jsonDepthMax` is for the arguments of its calls. */
export type Limits = {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
  readonly calls: number;
  readonly outputBytes: number;
  readonly resultChars: number;
  readonly jsonDepthMax: number;
};

/** The longest line that a script may send. Results in it have up to 12 bytes for a character. */
const LINE_CHARS_MAX = 1024 * 1024;
/** How long the pipes of a process that has ended may still have content. */
const DRAIN_MS = 500;

const messageSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("call"), name: z.string(), args: z.custom<Json>(isObject) }),
  z.strictObject({ kind: z.literal("ended"), value: z.string(), problem: z.string() }),
]);
type Ended = Extract<z.infer<typeof messageSchema>, { readonly kind: "ended" }>;

/**
 * A script in a process group without the environment of the host. Its calls come on a pipe that is
 * separate from what it prints. All messages are checked, because the script can write them itself.
 */
export class ScriptProcess {
  /** Resolves when the process has ended. */
  readonly outcome: Promise<CodeOutcome>;
  readonly #script: CodeScript;
  readonly #limits: Limits;
  readonly #child: ChildProcess;
  readonly #settled = Promise.withResolvers<CodeOutcome>();
  readonly #timer: NodeJS.Timeout;
  readonly #output: Buffer[] = [];
  #outputBytes = 0;
  #line = "";
  #calls = 0;
  #ended: Ended | null = null;
  #problem: string | null = null;

  /** Starts in `folder`. `path` is where `python3` is looked for, as in the variable PATH. */
  constructor(script: CodeScript, folder: string, path: string, limits: Limits) {
    this.#script = script;
    this.#limits = limits;
    this.outcome = this.#settled.promise;
    const child = spawn(PYTHON, ["-I", "-B", "-u", "-X", "utf8", "-c", WRAPPER], {
      cwd: folder,
      env: { PATH: path, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      // The process leads a group, so that its children can be killed with it.
      detached: true,
    });
    this.#child = child;
    const seconds = limits.timeMs / 1_000;
    this.#timer = setTimeout(() => this.stop(`it took more than ${seconds} s`), limits.timeMs);
    child.once("error", ({ message }) => {
      this.#problem ??= `${PYTHON} cannot be started: ${message}`;
      this.#settle();
    });
    child.once("exit", (code, signal) => {
      this.#kill();
      const how = signal === null ? `exit code ${code}` : `the signal ${signal}`;
      if (this.#ended === null) this.#problem ??= `it ended without a result, with ${how}`;
      // A process that has left the group can keep the pipes open.
      setTimeout(() => this.#settle(), DRAIN_MS).unref();
    });
    child.once("close", () => this.#settle());
    process.once("exit", this.#kill);
    this.#connect();
  }

  /** Ends the script with a problem, unless it has one. */
  stop(problem: string): void {
    this.#problem ??= problem;
    this.#kill();
  }

  #connect(): void {
    const [, stdout, stderr, calls] = this.#child.stdio;
    for (const stream of [stdout, stderr]) {
      readable(stream).on("data", (bytes: Buffer) => this.#onOutput(bytes));
    }
    readable(calls)
      .setEncoding("utf8")
      .on("data", (text: string) => this.#onCalls(text));
    // A script can close its pipes. It then ends without a result.
    for (const stream of this.#child.stdio) stream?.on("error", () => {});
    const { code, functions } = this.#script;
    const { memoryBytes, fileBytes, timeMs, resultChars: chars_max } = this.#limits;
    const limits = {
      RLIMIT_AS: memoryBytes,
      RLIMIT_FSIZE: fileBytes,
      RLIMIT_CPU: Math.ceil(timeMs / 1_000) + 1,
      RLIMIT_CORE: 0,
      RLIMIT_NPROC: 0,
    };
    this.#send({ code, functions, limits, chars_max });
  }

  #send(message: object): void {
    const [, , , , answers] = this.#child.stdio;
    duplex(answers).write(`${JSON.stringify(message)}\n`);
  }

  #onOutput(bytes: Buffer): void {
    const max = this.#limits.outputBytes;
    const room = max - this.#outputBytes;
    this.#output.push(bytes.subarray(0, room));
    this.#outputBytes += Math.min(room, bytes.length);
    if (bytes.length > room) this.stop(`it printed more than ${max} bytes`);
  }

  #onCalls(text: string): void {
    const [first = "", ...others] = text.split("\n");
    const lines = [this.#line + first, ...others];
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#onLine(line);
    if (this.#line.length > LINE_CHARS_MAX) this.stop("a call has too long arguments");
  }

  #onLine(line: string): void {
    if (this.#ended !== null || this.#problem !== null) return;
    const read = messageSchema.safeParse(line.length > LINE_CHARS_MAX ? null : jsonIn(line));
    if (!read.success) {
      this.stop("it sent something that is not a call");
      return;
    }
    const { data: message } = read;
    if (message.kind === "ended") {
      this.#ended = message;
      return;
    }
    this.#calls += 1;
    const { calls, jsonDepthMax } = this.#limits;
    if (this.#calls > calls) {
      this.stop(`it made more than ${calls} calls`);
      return;
    }
    const { name, args } = message;
    const problem = jsonProblem(args, jsonDepthMax);
    this.#send(problem === null ? this.#script.call(name, args) : { ok: false, problem });
  }

  readonly #kill = (): void => {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      // The group has ended, or has only a process that has ended.
      if (code !== "ESRCH" && code !== "EPERM") throw error;
    }
  };

  #settle(): void {
    clearTimeout(this.#timer);
    process.off("exit", this.#kill);
    for (const stream of this.#child.stdio) stream?.destroy();
    const log = Buffer.concat(this.#output).toString("utf8").replace(/\n$/, "");
    const ended = this.#ended;
    const problem = this.#problem ?? ended?.problem ?? "";
    const value = ended?.value ?? "";
    this.#settled.resolve(problem === "" ? { ok: true, value, log } : { ok: false, problem, log });
  }
}

const readable = (stream: unknown): Readable => duplex(stream);

/** The pipes of a process are sockets. */
const duplex = (stream: unknown): Duplex =>
  must(stream instanceof Duplex ? stream : null, "a process must have its pipes");
