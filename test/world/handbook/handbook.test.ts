import { describe, expect, it } from "vitest";
import { NATIVES, type Physics, parseAction } from "../../../src/kernel/index.ts";
import { renderWorkingMemory, workingMemoryOf } from "../../../src/memory/index.ts";
import { fenced } from "../../../src/mind/index.ts";
import { LIBRARY_NAMES, openingRequests } from "../../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../../support/physics.ts";

const ALL = [...PHYSICS.genesis.enabled, ...LIBRARY_NAMES];
const enabling = (enabled: readonly string[]): Physics => physicsWith({ genesis: { enabled } });

const pagesOf = (physics: Physics): ReadonlyMap<string, string> => {
  const pages = new Map<string, string>();
  for (const request of openingRequests(physics)) {
    if (request.kind !== "install_artifact" || request.fields.type !== "handbook") continue;
    pages.set(request.id, request.fields.content ?? "");
  }
  return pages;
};

const page = (id: string, physics: Physics = enabling(ALL)): string =>
  pagesOf(physics).get(`handbook_${id}`) ?? "";

describe("the handbook", () => {
  it("lists exactly its pages", () => {
    const pages = pagesOf(enabling(ALL));
    const listed = [...page("toc").matchAll(/^- (handbook_\w+): .+$/gm)].map(([, id]) => id);
    expect(["handbook_toc", ...listed]).toEqual([...pages.keys()]);
    expect(listed).toEqual(
      [
        ...["actions", "tools", "trading", "genesis", "resources", "coordination", "memory"],
        ...["syscalls", "refusals", "program_errors"],
        ...NATIVES.map(({ id }) => id.replace("genesis_", "")),
        ...LIBRARY_NAMES,
      ].map((name) => `handbook_${name}`),
    );
  });

  it("names every genesis artifact of the world and each of its methods", () => {
    const physics = enabling(ALL);
    const genesis = page("genesis", physics);
    const all = [...pagesOf(physics).values()].join("\n");
    for (const request of openingRequests(physics)) {
      if (request.kind !== "install_artifact" || request.fields.type !== "genesis") continue;
      expect(genesis).toContain(`## ${request.id}\n`);
      for (const { name, description } of request.fields.interface?.methods ?? []) {
        expect(genesis).toMatch(new RegExp(`(- |, |: )${name}\\(`));
        expect(all).toContain(`: ${description}\n`);
      }
    }
    expect(genesis.match(/^## genesis_/gm)).toHaveLength(NATIVES.length + LIBRARY_NAMES.length);
  });

  it("marks optional arguments and shows the cost of a call", () => {
    const costs = { genesis_ledger: { transfer: 2 } };
    const physics = physicsWith({ genesis: { enabled: ALL, costs } });
    expect(page("ledger", physics)).toContain("- transfer(to, scrip, memo?) costs 2 scrip: ");
    const deposit = "deposit(price, buyer?, expires_in_s?)";
    expect(page("genesis")).toContain(`Methods, on handbook_escrow: ${deposit}, purchase(`);
    expect(page("escrow")).toContain(`- ${deposit}: `);
  });

  it.each([
    ["escrow", "trading", "handbook_escrow"],
    ["debt_contract", "trading", "genesis_debt_contract"],
    ["voting", "toc", "handbook_voting"],
    ["board", "toc", "handbook_board"],
    ["ledger", "coordination", "Letting a program charge you"],
    ["mint", "refusals", "genesis_mint"],
  ])("does not mention %s if the world lacks it", (name, id, words) => {
    const without = enabling(ALL.filter((each) => each !== name));
    expect(page(id)).toContain(words);
    expect(page(id, without)).not.toContain(words);
    expect(page("genesis", without)).not.toContain(`## genesis_${name}\n`);
  });

  it("has a page on the mint with its numbers, if there is a mint", () => {
    const mint = { period_ms: 12_345, mint_ratio: 7, proceeds: "burn" } as const;
    const physics = physicsWith({ genesis: { enabled: ALL }, mint });
    expect(page("mint", physics)).toContain("12.345 s from then on");
    expect(page("mint", physics)).toMatch(/divided by\s7, rounded down/);
    expect(page("mint", physics)).toContain("What they pay is burned.");
    expect(page("mint", physics)).toContain("- bid(artifact): ");
    expect(page("mint")).toContain("is divided equally among");
    const without = enabling(ALL.filter((name) => name !== "mint"));
    expect([...pagesOf(without).keys()]).not.toContain("handbook_mint");
  });

  it("shows how to write a valid working memory", () => {
    const text = page("memory");
    const [line = ""] = /^\{"write_artifact":.*$/m.exec(text) ?? [];
    expect(parseAction(JSON.parse(line.replace("<your name>", "ann")), 32)).toMatchObject({
      kind: "accepted",
      answer: { kind: "write_artifact", request: { artifact_id: "ann_working_memory" } },
    });
    const { content } = JSON.parse(line).write_artifact;
    const shown = { max_size_bytes: 2_000, structured_format: true };
    expect(renderWorkingMemory(workingMemoryOf("{}", content), shown)).toMatch(
      /^Current goal: Build a price oracle\nStage: First version\n/,
    );
    expect(text).toContain("remembered automatically");
    const [open, close] = fenced("").split("\n\n");
    expect(text).toContain(`${open} and ${close}`);
  });

  it("lists every syscall", () => {
    const text = page("tools");
    for (const name of ["pay", "charge", "give", "read", "write", "invoke", "query", "quota"]) {
      expect(text).toContain(`${name}()`);
    }
  });
});
