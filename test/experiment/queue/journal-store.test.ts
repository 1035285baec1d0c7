import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type JournalStore, journalStore } from "../../../src/experiment/index.ts";
import { objectStore } from "../../support/object-store.ts";
import { simWith } from "../../support/sim.ts";
import { folderWith, temporaryFolder } from "../../support/temporary-folder.ts";

const KEYS = {
  AWS_ACCESS_KEY_ID: "good",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_REGION: "eu-west-1",
};

const storeAt = (place: string, environment = {}): JournalStore => {
  const opened = journalStore(place, environment);
  if (!opened.ok) throw new Error(opened.problem);
  return opened.store;
};

describe("a store of journals", () => {
  it("can be a folder, which gets the files of a run", async () => {
    const root = join(temporaryFolder(), "new");
    const store = storeAt(root);
    await store.check();
    const run = folderWith({ "journal.db": "one", "agents/ada/agent.yaml": "id: ada" });
    await store.save(run, "fees-12345678/runs/low-s1");
    // The same run again replaces the first.
    await store.save(folderWith({ "journal.db": "two" }), "fees-12345678/runs/low-s1");
    expect(readFileSync(join(root, "fees-12345678/runs/low-s1/journal.db"), "utf8")).toBe("two");
  });

  it("can be a bucket of S3, which gets one object for each file", async () => {
    const { url, objects } = await objectStore();
    const store = storeAt("s3://lab/my runs", { ...KEYS, AWS_ENDPOINT_URL: `${url}/` });
    await store.check();
    expect([...objects]).toEqual([]);
    const run = folderWith({ "journal.db": "one", "agents/ada b/agent.yaml": "id: ada" });
    await store.save(run, "fees-12345678/runs/low-s1");
    expect(Object.fromEntries([...objects].map(([path, body]) => [path, body.toString()]))).toEqual(
      {
        "/lab/my runs/fees-12345678/runs/low-s1/journal.db": "one",
        "/lab/my runs/fees-12345678/runs/low-s1/agents/ada b/agent.yaml": "id: ada",
      },
    );
  });

  it("says what the service of a bucket answered", async () => {
    const { url } = await objectStore();
    const refused = storeAt("s3://lab", {
      ...KEYS,
      AWS_ACCESS_KEY_ID: "bad",
      AWS_ENDPOINT_URL: url,
    });
    await expect(refused.check()).rejects.toThrow(
      "s3://lab: the service answered 403 AccessDenied",
    );
    const away = storeAt("s3://lab", { ...KEYS, AWS_ENDPOINT_URL: "http://127.0.0.1:1" });
    await expect(away.check()).rejects.toThrow(/^s3:\/\/lab: /);
  });
});

describe("sim worker --store", () => {
  const work = (store: string, variables = {}) =>
    simWith({ variables }, temporaryFolder(), [
      ...["worker", "--on", "redis://127.0.0.1:1", "--store", store],
    ]);

  it("refuses a store that it cannot use before it takes a run", () => {
    expect(work("s3://")).toMatchObject({
      code: 2,
      err: "sim: --store must be s3://BUCKET or s3://BUCKET/PREFIX\n",
    });
    expect(work("s3://lab").err).toContain("--store needs AWS_ACCESS_KEY_ID and");
    const away = work("s3://lab", { ...KEYS, AWS_ENDPOINT_URL: "http://127.0.0.1:1" });
    expect(away).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^sim: --store: s3:\/\/lab: /),
    });
    const file = join(folderWith({ taken: "" }), "taken");
    expect(work(file)).toMatchObject({ code: 3, err: expect.stringContaining("taken") });
  });
});
