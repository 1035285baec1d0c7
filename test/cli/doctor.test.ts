import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startedQdrant } from "../mind/memory/memories.ts";
import { setFlags, sim, startSimWith } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

const checksIn = (out: string): readonly Check[] => JSON.parse(out).checks;
const found = (checks: readonly Check[], name: string) =>
  checks.find((check) => check.name === name);

it("sim doctor passes on this machine and leaves no files", () => {
  const cwd = folderWith();
  const ran = sim(cwd, "doctor", "--json");
  const checks = checksIn(ran.out);
  expect(checks.map(({ name }) => name)).toEqual([
    ...["node", "sqlite", "threads", "sandbox", "disk", "shipped files", "embeddings"],
    ...["model keys", "qdrant"],
  ]);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(JSON.parse(ran.out).ok).toBe(true);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(cwd)).toEqual([]);
  expect(found(checks, "embeddings")?.detail).toMatch(/^a stored memory was found .* 0\.\d\d$/);
  expect(found(checks, "shipped files")?.detail).toMatch(/agents, \d+ personas in agents-llm/);
});

describe("sim doctor and the keys of providers", () => {
  const config = `llm:
  providers:
    google: { api_key_env: SPEAKER_ONE }
    openai: { api_key_env: SPEAKER_TWO }
`;
  const doctor = (env: Readonly<Record<string, string>>) =>
    startSimWith(env, folderWith({ "config.yaml": config }), ["doctor", "--json"]).ended;

  it("prints the names of the keys that are set, never their values", async () => {
    const ran = await doctor({ SPEAKER_ONE: "sesame,open" });
    const unset = "ANTHROPIC_API_KEY, SPEAKER_TWO, OPENAI_COMPATIBLE_API_KEY";
    const detail = `set: SPEAKER_ONE; not set: ${unset}; \`--model mock\` needs no key`;
    expect(found(checksIn(ran.out), "model keys")).toMatchObject({ ok: true, detail });
    expect(ran.code).toBe(0);
    expect(ran.out + ran.err).not.toMatch(/sesame|open,/);
  });

  it("reports a key that an HTTP header cannot carry", async () => {
    const ran = await doctor({ SPEAKER_ONE: "sesame", SPEAKER_TWO: "schl\u00fcssel" });
    const check = found(checksIn(ran.out), "model keys");
    expect(check).toMatchObject({ ok: false, detail: expect.stringContaining("SPEAKER_TWO") });
    expect(check?.detail).not.toContain("SPEAKER_ONE");
    expect(ran.code).toBe(1);
    expect(ran.out + ran.err).not.toMatch(/sesame|schl/);
  });
});

describe("sim doctor and a Qdrant server", () => {
  const askedAt = async (url: string) => {
    const flags = setFlags("memory.backend=mem0", `memory.qdrant.url=${url}`);
    const env = { QDRANT_API_KEY: "sesame" };
    const ran = await startSimWith(env, folderWith(), ["doctor", "--json", ...flags]).ended;
    expect(ran.out).not.toContain("sesame");
    return { code: ran.code, check: found(checksIn(ran.out), "qdrant") };
  };

  it("accepts a server without memories, and sends it the key", async () => {
    const server = await startedQdrant();
    const { code, check } = await askedAt(`${server.url}/`);
    expect(code).toBe(0);
    expect(check?.detail).toBe(`${server.url} answers; the first memory creates catallaxy`);
    expect(server.seen).toMatchObject([{ method: "GET", apiKey: "sesame" }]);
  });

  it("finds an existing collection", async () => {
    const server = await startedQdrant();
    const made = { method: "PUT", body: JSON.stringify({ vectors: { size: 4 } }) };
    await fetch(`${server.url}/collections/catallaxy`, made);
    const { check } = await askedAt(server.url);
    const detail = `${server.url} answers and has the collection catallaxy`;
    expect(check).toMatchObject({ ok: true, detail });
  });

  it("reports a wrong key", async () => {
    const server = await startedQdrant();
    server.brokenStatus = 401;
    const { code, check } = await askedAt(server.url);
    expect(code).toBe(1);
    const detail = `${server.url} answers with 401: the key in QDRANT_API_KEY is wrong`;
    expect(check?.detail).toBe(detail);
  });

  it("reports a server that does not answer", async () => {
    const server = await startedQdrant();
    await server.stop();
    const { code, check } = await askedAt(`${server.url}/kept/for/us`);
    expect(code).toBe(1);
    // Of an address only that is told which everyone may know.
    const cure = "start it, or correct memory.qdrant.url";
    expect(check?.detail).toBe(`no server answers at ${server.url}; ${cure}`);
  });

  it("does not send the key to the target of a redirect", async () => {
    const [server, other] = [await startedQdrant(), await startedQdrant()];
    server.redirectTo = other.url;
    const { code, check } = await askedAt(server.url);
    expect(code).toBe(1);
    expect(check?.detail).toBe(`${server.url} answers with 307`);
    expect(other.seen).toEqual([]);
  });
});

it("sim doctor refuses a configuration that cannot be read, as every verb does", () => {
  const ran = sim(folderWith({ "config.yaml": "run: { sed: 7 }\n" }), "doctor");
  expectRefusal(ran, 2, "config.yaml:1:8: unknown key `run.sed`; did you mean `run.seed`?");
});
