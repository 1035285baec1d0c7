import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliError } from "../../src/cli/core/exit.ts";
import { qdrant } from "../../src/cli/verbs/doctor.ts";
import { loadConfig } from "../../src/run/config/index.ts";
import { collectionOf, startedQdrant } from "../memory/memories.ts";
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
    ...["node", "sandbox", "disk", "shipped files", "embeddings"],
    ...["model keys", "qdrant", "coding agents"],
  ]);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(JSON.parse(ran.out).ok).toBe(true);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(cwd)).toEqual([]);
  expect(found(checks, "embeddings")?.detail).toMatch(/^a stored memory was found .* 0\.\d\d$/);
  expect(found(checks, "shipped files")?.detail).toMatch(
    /agents, \d+ personas in agents-llm, 2 personas in agents-bargain/,
  );
});

const config = `llm:
  providers:
    google: { api_key_env: SPEAKER_ONE }
    openai: { api_key_env: SPEAKER_TWO }
`;

/** Checks this server with its key in the environment, and the keys of the model providers. */
const askedAt = async (url: string, keys: Readonly<Record<string, string>> = {}) => {
  const flags = setFlags("memory.backend=mem0", `memory.qdrant.url=${url}`);
  const env = { QDRANT_API_KEY: "sesame", ...keys };
  const cwd = folderWith({ "config.yaml": config });
  const ran = await startSimWith(env, cwd, ["doctor", "--json", ...flags]).ended;
  expect(ran.out + ran.err).not.toMatch(/sesame|abracadabra|schl/);
  const checks = checksIn(ran.out);
  return { code: ran.code, keys: found(checks, "model keys"), check: found(checks, "qdrant") };
};

describe("sim doctor with keys and a Qdrant server", () => {
  it("accepts a server without memories, and prints names of keys but no values", async () => {
    const server = await startedQdrant();
    const { code, check, keys } = await askedAt(`${server.url}/`, { SPEAKER_ONE: "abracadabra,x" });
    expect(code).toBe(0);
    expect(check?.detail).toBe(`${server.url} answers; the first memory creates catallaxy`);
    expect(server.seen).toMatchObject([{ method: "GET", apiKey: "sesame" }]);
    const unset = "ANTHROPIC_API_KEY, SPEAKER_TWO, OPENAI_COMPATIBLE_API_KEY";
    const detail = `set: SPEAKER_ONE; not set: ${unset}; \`--model mock\` needs no key`;
    expect(keys).toMatchObject({ ok: true, detail });
  });

  it("reports a wrong key, and one that an HTTP header cannot carry", async () => {
    const server = await startedQdrant();
    server.brokenStatus = 401;
    const set = { SPEAKER_ONE: "abracadabra", SPEAKER_TWO: "schl\u00fcssel" };
    const { code, check, keys } = await askedAt(server.url, set);
    expect(code).toBe(1);
    const detail = `${server.url} answers with 401: the key in QDRANT_API_KEY is wrong`;
    expect(check?.detail).toBe(detail);
    expect(keys).toMatchObject({ ok: false, detail: expect.stringContaining("SPEAKER_TWO") });
    expect(keys?.detail).not.toContain("SPEAKER_ONE");
  });
});

describe("the check of a Qdrant server", () => {
  const ENV = { QDRANT_API_KEY: "sesame" };
  const checked = (url: string): Promise<string> => {
    const sets = ["memory.backend=mem0", `memory.qdrant.url=${url}`];
    const loaded = loadConfig({ file: null, sets, flags: [] });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded));
    return qdrant(loaded.config, ENV);
  };

  it("finds an existing collection", async () => {
    const server = await startedQdrant();
    await collectionOf(server, { size: 4, distance: "Cosine" }, "catallaxy");
    const detail = `${server.url} answers and has the collection catallaxy`;
    expect(await checked(server.url)).toBe(detail);
  });

  it("reports a server that does not answer", async () => {
    const server = await startedQdrant();
    await server.stop();
    const cure = "start it, or correct memory.qdrant.url";
    // Says only the part of the address that is not secret.
    const problem = new CliError(`no server answers at ${server.url}; ${cure}`);
    await expect(checked(`${server.url}/kept/for/us`)).rejects.toEqual(problem);
  });

  it("does not send the key to the target of a redirect", async () => {
    const [server, other] = [await startedQdrant(), await startedQdrant()];
    server.redirectTo = other.url;
    const problem = new CliError(
      `${server.url} answers with a redirect; set memory.qdrant.url to its target`,
    );
    await expect(checked(server.url)).rejects.toEqual(problem);
    expect(other.seen).toEqual([]);
  });
});

it("sim doctor refuses a configuration that cannot be read, as every verb does", () => {
  const ran = sim(folderWith({ "config.yaml": "run: { sed: 7 }\n" }), "doctor");
  expectRefusal(ran, 2, "config.yaml:1:8: unknown key `run.sed`; did you mean `run.seed`?");
});
