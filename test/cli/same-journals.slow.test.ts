/**
 * The journals of seeds, by kind of mind. A change of the structure must not change them. A change
 * of the economy does: copy the hashes from the failure, and say in the commit why they changed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyFolder, jsonOf } from "../support/sim.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPTED = `id: hugo
mind: script
script:
  - write_artifact: { artifact_id: double, code: "function run(a) { return a * 2 }", price: 2 }
  - invoke_artifact: { artifact_id: genesis_ledger, method: transfer, args: [ada, 5] }
`;

const here = emptyFolder();
mkdirSync(join(here, "scripted/hugo"), { recursive: true });
writeFileSync(join(here, "scripted/hugo/agent.yaml"), SCRIPTED);

const shipped = (folder: string): readonly string[] => ["--agents", join(ROOT, folder)];

/** `llm`, `workflow` and `tools` minds are in `agents-llm`; modules of the user in `agents-bargain`. */
const KINDS = {
  policy: ["--duration", "20", ...shipped("agents")],
  script: ["--duration", "20", ...shipped("agents"), "--agents", "scripted"],
  models: ["--duration", "15", ...shipped("agents-llm"), "--model", "mock"],
  modules: ["--duration", "60", ...shipped("agents-bargain")],
} as const;

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The first digits of the journal hash of seeds 1 to 10. */
const JOURNALS: { readonly [kind in keyof typeof KINDS]: readonly string[] } = {
  policy: [
    "fc6474a2609f",
    "9f09ceadc18f",
    "fdb7b3d70642",
    "e5bbe7ddb84e",
    "a8b3ce203425",
    "129761a88820",
    "a234d1c34c00",
    "b895f71eb518",
    "dd93370e6f57",
    "cbea1c788cd5",
  ],
  script: [
    "3fe095c6435c",
    "968408a0b644",
    "5c942ece90e2",
    "c2244114ffc5",
    "39f9bf4c6928",
    "16551c3c5372",
    "6ed3b1086616",
    "204318f31937",
    "c012076a9c3b",
    "dc6797e286de",
  ],
  models: [
    "bf3f5863c2bb",
    "fd34ac0dd04f",
    "c4a3e4a52f93",
    "66becf39e4d0",
    "c4a20040b282",
    "c9b1012e2ea2",
    "fbbabd696fd3",
    "645306858399",
    "1519d8af2176",
    "91aa5f148859",
  ],
  modules: [
    "549149de9de2",
    "17aaddf41fbc",
    "7aa3938e55ac",
    "d3162fe4e326",
    "fc94e3933dcd",
    "5892c9956583",
    "20ddfc511c72",
    "d075f0fde46c",
    "922cc7ab110f",
    "c565f21b76a0",
  ],
};

it.each(["policy", "script", "models", "modules"] as const)(
  "the journals of ten seeds with %s minds are as before",
  (kind) => {
    const hashes = SEEDS.map((seed) => {
      const flags = ["--seed", String(seed), "--name", `${kind}-${seed}`, "--clock", "virtual"];
      return String(jsonOf(here, "run", ...KINDS[kind], ...flags).journal_hash).slice(0, 12);
    });
    expect(hashes).toEqual(JOURNALS[kind]);
  },
);
