import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { sim } from "../support/sim.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const dir = sharedFolder();

const EXPERIMENT = `
name: secret
seeds: [1]
keep: journals
base:
  duration: 6s
  model: mock
  agents: personas
  set:
    agent.prompt.mandatory_prefix: SECRETprompt of the base
    agent.prompt.injection_scope: all
    mint.tasks:
      - id: task_secret
        description: SECRETcontent of a task
        reward: 5
        public_tests: [{ args: [SECRETcontent], result: SECRETcontent }]
        hidden_tests: [{ args: [SECRETcontent], result: SECRETcontent }]
  schedule:
    - at: 4s
      install:
        id: installed
        file: bonus.js
        owner: ada
        interface: { description: SECRETcontent, methods: [] }
    - { at: 4.5s, add: late/newcomer }
    - { at: 100s, add: late/never }
factors:
  agent.prompt.mandatory_suffix: [SECRETprompt of a point, SECRETprompt of another]
arms:
  low: {}
  high: { set: { agent.prompt.mandatory_prefix: SECRETprompt of an arm } }
measures: [gini]
`;

const SCRIPT = [
  {
    write_artifact: {
      artifact_id: "note",
      content: "SECRETcontent",
      code: "function run(text) { log('SECRETcontent'); return text; }",
      metadata: { about: "SECRETcontent" },
      interface: {
        description: "SECRETcontent",
        methods: [{ name: "run", description: "SECRETcontent", input_schema: {} }],
      },
    },
  },
  { invoke_artifact: { artifact_id: "note", args: ["SECRETcontent"] } },
  { read_artifact: { artifact_id: "note" } },
  {
    invoke_artifact: {
      artifact_id: "genesis_messenger",
      method: "send",
      args: ["bob", "SECRETcontent"],
    },
  },
];

beforeAll(() => {
  writePersonas(join(dir, "personas"), {
    ada: { mind: "script", script: SCRIPT, description: "SECRETcontent" },
    bob: { mind: "llm", system_prompt: "SECRETcontent" },
  });
  const late = { mind: "script", script: SCRIPT, description: "SECRETcontent" };
  writePersonas(join(dir, "late"), { newcomer: late, never: late });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "bonus.js"), "function run() { return 'SECRETcontent'; }\n");
  writeFileSync(join(dir, "secret.yaml"), EXPERIMENT);
  const { code, err } = sim(dir, "experiment", "secret.yaml", "--jobs", "1");
  expect([code, err]).toEqual([0, expect.anything()]);
  publish("whole");
});

/** All but the code of the worker, which is not packed. */
const PACKS = /<script type="text\/plain" id="(?!worker")([^"]*)">([^<]*)/g;

/** The text of each file of a publication, and of what is packed in it. */
const textsIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ parentPath, name }) => {
        const text = readFileSync(join(parentPath, name), "utf8");
        const packs = [...text.matchAll(PACKS)].map(([, id = "", pack = ""]) => {
          return [`${name} ${id}`, gunzipSync(Buffer.from(pack, "base64")).toString()] as const;
        });
        return [[name, text] as const, ...packs];
      }),
  );

/** The texts of a publication that have a secret, with the first place. */
const leaks = (page: string, secret: string): readonly string[] =>
  [...textsIn(join(dir, page))].flatMap(([name, text]) => {
    const at = text.indexOf(secret);
    return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 120), at + 60)}`];
  });

const publish = (page: string, ...flags: readonly string[]) => {
  expect(sim(dir, "publish", "secret", "-o", page, ...flags)).toMatchObject({ code: 0 });
};

describe("a publication of an experiment has none of the texts that are left out", () => {
  it.each([
    ["prompts", "SECRETprompt"],
    ["content", "SECRETcontent"],
    ["thoughts", "the script says so"],
  ])("%s", (part, secret) => {
    expect(leaks("whole", secret).length).toBeGreaterThan(1);
    publish(part, "--redact", part);
    expect(leaks(part, secret)).toEqual([]);
    expect(leaks(part, part === "prompts" ? "SECRETcontent" : "low-p1-s1")).not.toEqual([]);
  });
});
