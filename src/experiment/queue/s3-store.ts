import { readFile } from "node:fs/promises";
import { errorMessage } from "../../kernel/index.ts";
import { filesIn } from "../../scale/index.ts";

/** The variables of the process. */
export type StoreVariables = Readonly<Record<string, string | undefined>>;

/** The file with which a store is tried. */
export const TRIAL_FILE = ".write-test";

type ObjectStore = {
  readonly check: () => Promise<void>;
  readonly save: (folder: string, name: string) => Promise<void>;
};

type Opened =
  | { readonly ok: true; readonly store: ObjectStore }
  | { readonly ok: false; readonly problem: string };

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]*)\/?(.*)$/;
const REGION = "us-east-1";

/**
 * A bucket of S3 or of a service with its interface. The address of the service and the keys are in
 * the variables that other programs use. Each file of a run is one object.
 */
export const s3Store = (place: string, environment: StoreVariables): Opened => {
  const [, bucket, prefix = ""] = PLACE.exec(place) ?? [];
  if (bucket === undefined)
    return { ok: false, problem: "must be s3://BUCKET or s3://BUCKET/PREFIX" };
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    return {
      ok: false,
      problem: "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment",
    };
  }
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? REGION;
  const endpoint = environment.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const folders = prefix.split("/").filter((part) => part !== "");
  const root = [endpoint.replace(/\/+$/, ""), bucket, ...folders.map(encodeURIComponent)];
  const keys = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
  const send = async (method: "PUT" | "DELETE", path: string, body?: Uint8Array<ArrayBuffer>) => {
    const { AwsClient } = await import("aws4fetch");
    const client = new AwsClient({ ...keys, region, service: "s3", retries: RETRIES_MAX });
    const url = [...root, ...path.split("/").map(encodeURIComponent)].join("/");
    const answer = await client
      .fetch(url, { method, ...(body === undefined ? {} : { body }) })
      .catch((error: unknown) => {
        throw new Error(`${place}: ${reasonOf(error)}`);
      });
    if (answer.ok) return;
    const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? answer.statusText;
    throw new Error(`${place}: the service answered ${answer.status} ${code}`.trimEnd());
  };
  const check = async (): Promise<void> => {
    await send("PUT", TRIAL_FILE, new Uint8Array());
    await send("DELETE", TRIAL_FILE);
  };
  const save = async (folder: string, name: string): Promise<void> => {
    for (const { from, to } of filesIn(folder, () => true)) {
      await send("PUT", `${name}/${to}`, await readFile(from));
    }
  };
  return { ok: true, store: { check, save } };
};

/** How often a request is sent again that the service could not answer now. */
const RETRIES_MAX = 4;

/** `fetch` says what happened only in the cause of its error. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause);
};
