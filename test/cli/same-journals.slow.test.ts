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

/** The first digits of the journal hash of seeds 1, 2 and so on. */
const JOURNALS: { readonly [kind in keyof typeof KINDS]: readonly string[] } = {
  policy: ["fc6474a2609f", "9f09ceadc18f", "fdb7b3d70642"],
  script: ["3fe095c6435c", "968408a0b644", "5c942ece90e2"],
  models: ["bf3f5863c2bb", "fd34ac0dd04f"],
  modules: ["549149de9de2", "17aaddf41fbc"],
};

it.each(["policy", "script", "models", "modules"] as const)(
  "the journals of seeds with %s minds are as before",
  (kind) => {
    const hashes = JOURNALS[kind].map((_, at) => {
      const seed = at + 1;
      const flags = ["--seed", String(seed), "--name", `${kind}-${seed}`, "--clock", "virtual"];
      return String(jsonOf(here, "run", ...KINDS[kind], ...flags).journal_hash).slice(0, 12);
    });
    expect(hashes).toEqual(JOURNALS[kind]);
  },
);
