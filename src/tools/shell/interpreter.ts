import { Bash, type BashOptions, type CommandName, InMemoryFs } from "just-bash/browser";
import { cutText } from "../../kernel/index.ts";
import type { Files } from "../workspace/files.ts";

/** A script to run over files. `nowMs` is the time that the script sees, in ms since 1970. */
export type Script = { readonly text: string; readonly files: Files; readonly nowMs: number };

/**
 * How a script ended. `changed` has the files that it wrote, by path: their texts, or null if they
 * are not text.
 */
export type Ended = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly changed: ReadonlyMap<string, string | null>;
  readonly deleted: readonly string[];
};

const FOLDER = "/workspace";
const ENVIRONMENT = { HOME: FOLDER, USER: "agent", LANG: "C", LC_ALL: "C", TZ: "UTC" };

const COMMANDS = (
  "awk basename bash cat column comm cp cut date diff dirname du echo egrep expand expr false " +
  "fgrep find fold grep head join jq ls mkdir mv nl paste printf pwd rev rm rmdir sed seq sh " +
  "sort split stat tac tail tee touch tr tree true uniq wc xargs"
).split(" ") as CommandName[];

const MEGABYTE = 1024 * 1024;
/** What a script can write beyond the files that it starts with. */
const SCRATCH_BYTES = MEGABYTE;

/**
 * What one script may do. At a limit of `awk`, `sed` or `jq`, that command ends with exit code 126.
 * At most other limits, the whole script ends with 126.
 */
const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxSourceBytes: MEGABYTE / 4,
  maxCallDepth: 50,
  maxExecDepth: 20,
  maxSourceDepth: 20,
  maxSubstitutionDepth: 20,
  maxCommandCount: 3_000,
  maxLoopIterations: 3_000,
  maxAwkIterations: 20_000,
  maxSedIterations: 10_000,
  maxJqIterations: 50_000,
  maxQueryElements: 100_000,
  maxBraceExpansionResults: 10_000,
  maxGlobOperations: 50_000,
  maxArrayElements: 10_000,
  maxTraversalEntries: 10_000,
  maxTraversalWork: 50_000,
  maxTraversalDepth: 50,
  maxWorkUnits: 2_000_000,
  maxStringLength: MEGABYTE / 4,
  maxHeredocSize: MEGABYTE / 4,
  maxOutputSize: 2 * MEGABYTE,
  maxInputBytes: 16 * MEGABYTE,
  maxLiveBytes: 64 * MEGABYTE,
  maxFileDescriptors: 64,
};

/** The most bytes that a script reads from files. Each read counts. */
const READ_BYTES_MAX = 8 * MEGABYTE;

const OUT_CHARS_MAX = 14_000;
const ERR_CHARS_MAX = 3_000;

/** Runs a script in an interpreter and a file system of its own, in memory. */
export const runScript = async ({ text, files }: Script): Promise<Ended> => {
  const ending = new AbortController();
  const fs = fileSystemWith(files, () => ending.abort());
  const bash = new Bash({
    fs,
    cwd: FOLDER,
    env: { ...ENVIRONMENT },
    commands: COMMANDS,
    executionLimits: LIMITS,
  });
  const ended = await bash.exec(text, { rawScript: true, signal: ending.signal });
  const reason = ending.signal.aborted ? READ_TOO_MUCH : "";
  const after = await filesIn(fs);
  return {
    exitCode: ended.exitCode,
    stdout: shortened(ended.stdout, OUT_CHARS_MAX),
    stderr: shortened(ended.stderr.replace(FOR_HOSTS, "") + reason, ERR_CHARS_MAX),
    changed: new Map([...after].filter(([path, own]) => own !== files.get(path))),
    deleted: [...files.keys()].filter((path) => !after.has(path)),
  };
};

const READ_TOO_MUCH = `bash: the script has read more than ${READ_BYTES_MAX} bytes of files\n`;

/** Advice to hosts in messages of the interpreter. A script cannot follow it. */
const FOR_HOSTS = /, increase executionLimits\.\w+/g;

const shortened = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : `${cutText(text, charsMax)}\n[${text.length - charsMax} more characters]`;

const fileSystemWith = (files: Files, onReadTooMuch: () => void): InMemoryFs => {
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const fs = new InMemoryFs({}, { maxTotalBytes: bytes + SCRATCH_BYTES });
  fs.mkdirSync(FOLDER);
  fs.mkdirSync("/tmp");
  for (const [path, text] of files) fs.writeFileSync(`${FOLDER}/${path}`, text);
  const read = fs.readFileBuffer;
  let readBytes = 0;
  // All other ways to read a file use this one.
  fs.readFileBuffer = async (path) => {
    const content = await read.call(fs, path);
    readBytes += content.length;
    if (readBytes > READ_BYTES_MAX) onReadTooMuch();
    return content;
  };
  // Times and permissions of files never change.
  fs.utimes = async () => {};
  fs.chmod = async () => {};
  fs.symlink = noLinks;
  fs.link = noLinks;
  return fs;
};

const noLinks = async (): Promise<void> => {
  throw new Error("EPERM: a workspace has no links");
};

/** The files of the workspace. Null stands for a file that is not text in UTF-8. */
const filesIn = async (fs: InMemoryFs): Promise<ReadonlyMap<string, string | null>> => {
  const found = new Map<string, string | null>();
  const paths = fs.getAllPaths().filter((path) => path.startsWith(`${FOLDER}/`));
  for (const path of paths.toSorted()) {
    const { isDirectory, isFile } = await fs.lstat(path);
    if (isDirectory) continue;
    const text = isFile ? textIn(await fs.readFileBuffer(path)) : null;
    found.set(path.slice(FOLDER.length + 1), text);
  }
  return found;
};

const textIn = (bytes: Uint8Array): string | null => {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return Buffer.from(text).equals(bytes) ? text : null;
};
