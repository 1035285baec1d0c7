import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, type Result } from "../../kernel/index.ts";
import { filesIn } from "../../scale/index.ts";

/** Where workers put the folders of runs that an experiment keeps. */
export type JournalStore = {
  /** Tries to write. @throws Error if the store does not take files. */
  readonly check: () => Promise<void>;
  /** Copies a folder to `name`, a path with `/`. @throws Error if the store does not take it. */
  readonly save: (folder: string, name: string) => Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The store at a place: the path of a folder, or `s3://BUCKET/PREFIX`. The keys of S3 are in the
 * environment. The problem is a phrase to put after the name of a flag.
 */
export const journalStore = (
  place: string,
  environment: Environment,
): Result<{ store: JournalStore }> =>
  place.startsWith("s3:") ? s3Store(place, environment) : { ok: true, store: folderStore(place) };

/** The file with which a store is tried. */
const TRIAL_FILE = ".write-test";

/** A folder that all machines see, such as one of a file server. */
const folderStore = (root: string): JournalStore => ({
  check: async () => {
    const file = join(root, TRIAL_FILE);
    await mkdir(root, { recursive: true });
    await writeFile(file, "");
    await rm(file, { force: true });
  },
  save: async (folder, name) => {
    const target = join(root, name);
    // The copy appears complete or not at all.
    const draft = `${target}.part`;
    await mkdir(dirname(target), { recursive: true });
    await rm(draft, { recursive: true, force: true });
    await cp(folder, draft, { recursive: true });
    await rm(target, { recursive: true, force: true });
    await rename(draft, target);
  },
});

/**
 * A bucket of S3 or of a service with its interface. The address of the service and the keys are in
 * the variables that other programs use. Each file of a run is one object.
 */
const s3Store = (place: string, environment: Environment): Result<{ store: JournalStore }> => {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)\/?(.*)$/.exec(place) ?? [];
  if (bucket === undefined) {
    return { ok: false, problem: "must be s3://BUCKET or s3://BUCKET/PREFIX" };
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    const problem = "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment";
    return { ok: false, problem };
  }
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint = environment.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const folders = prefix.split("/").filter((part) => part !== "");
  const root = [endpoint.replace(/\/+$/, ""), bucket, ...folders.map(encodeURIComponent)];
  const send = async (method: "PUT" | "DELETE", path: string, body?: Uint8Array<ArrayBuffer>) => {
    const { AwsClient } = await import("aws4fetch");
    const client = new AwsClient({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
      region,
      service: "s3",
      // How often a request is sent again that the service could not answer now.
      retries: 4,
    });
    const url = [...root, ...path.split("/").map(encodeURIComponent)].join("/");
    const answer = await client
      .fetch(url, { method, ...(body === undefined ? {} : { body }) })
      .catch((error: unknown) => {
        // `fetch` says what happened only in the cause of its error.
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        throw new Error(`${place}: ${errorMessage(cause)}`);
      });
    if (answer.ok) return;
    const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? answer.statusText;
    throw new Error(`${place}: the service answered ${answer.status} ${code}`.trimEnd());
  };
  return {
    ok: true,
    store: {
      check: async () => {
        await send("PUT", TRIAL_FILE, new Uint8Array());
        await send("DELETE", TRIAL_FILE);
      },
      save: async (folder, name) => {
        for (const { from, to } of filesIn(folder, () => true)) {
          await send("PUT", `${name}/${to}`, await readFile(from));
        }
      },
    },
  };
};
