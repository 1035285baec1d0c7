import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId } from "../kernel/index.ts";
import { type Environment, memoryStoreFor, providerProblems } from "../mind/index.ts";
import type { Config } from "../runner/index.ts";
import { UsageProblem } from "./usage-problem.ts";

const ANSWER_MS_MAX = 5_000;
const SPOKEN = "Agent doctor performed write_artifact: a price list for bread (it succeeded)";
const ASKED = "what did I say about the cost of a loaf?";

/** Keeps one memory as a run would, with the weights that come along, and looks for it. */
export const embeddings = async ({ memory }: Config): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "sim-doctor-"));
  const warnings: string[] = [];
  const store = memoryStoreFor({
    settings: { ...memory, backend: "mem0", vector_store: "embedded", embedder: "offline" },
    folder,
    run: "doctor",
    qdrantApiKey: null,
    inference: null,
    embeddings: { ask: () => Promise.reject(new UsageProblem("no provider is asked here")) },
    warn: (text) => warnings.push(text),
  });
  const agent = asId("doctor");
  store?.add([{ agent, number: 1, atMs: 0, kind: "action", text: SPOKEN }]);
  const recall = await store?.search(agent, ASKED, 1);
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
  const problem = warnings[0] ?? (recall?.ok === false ? recall.problem : undefined);
  if (problem !== undefined) throw new UsageProblem(problem);
  const [found] = recall?.ok === true ? recall.found : [];
  if (found === undefined) throw new UsageProblem("what was kept a moment ago is not found again");
  return `a memory was found again by its meaning, likeness ${found.likeness.toFixed(2)}`;
};

/** Which keys there are, by the names of their variables. Their values are told to nobody. */
export const modelKeys = ({ llm }: Config, env: Environment): string => {
  const providers = Object.entries(llm.providers);
  const isSet = (name: string): boolean => (env[name] ?? "").trim() !== "";
  const withKey = providers.filter(([_, { api_key_env }]) => isSet(api_key_env));
  const problems = withKey.flatMap(([provider, { api_key_env }]) =>
    providerProblems([`${provider}/any`], llm.providers, env).filter((problem) =>
      problem.includes(api_key_env),
    ),
  );
  if (problems.length > 0) throw new UsageProblem(problems.join("; "));
  const names = providers.map(([_, { api_key_env }]) => api_key_env);
  const present = names.filter(isSet);
  const absent = names.filter((name) => !isSet(name));
  return [
    ...(present.length > 0 ? [`set: ${present.join(", ")}`] : []),
    ...(absent.length > 0 ? [`not set: ${absent.join(", ")}`] : []),
  ].join("; ");
};

/** Asks the Qdrant server that the configuration names, if it names one, for its collection. */
export const qdrant = async ({ memory }: Config, env: Environment): Promise<string> => {
  const { vector_store, backend } = memory;
  const { url, api_key_env, collection } = memory.qdrant;
  if (backend !== "mem0") return `not used: memory.backend is ${backend}`;
  if (vector_store !== "qdrant" || url === null) {
    return `not used: memory.vector_store is ${vector_store}`;
  }
  const key = env[api_key_env] ?? null;
  const [asked] = await Promise.allSettled([
    fetch(`${withPort(url)}/collections/${encodeURIComponent(collection)}`, {
      headers: key === null ? {} : { "api-key": key },
      // The key must not go to where somebody else may lead.
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    }),
  ]);
  const where = new URL(withPort(url)).origin;
  if (asked.status === "rejected") {
    const cure = "start it, or correct memory.qdrant.url";
    throw new UsageProblem(`nothing answers at ${where}; ${cure}`);
  }
  const { status } = asked.value;
  await asked.value.body?.cancel();
  if (status === 200) return `${where} answers and has the collection ${collection}`;
  if (status === 404) return `${where} answers; the first memory makes ${collection}`;
  const isKey = status === 401 || status === 403;
  const cure = isKey ? `the key in ${api_key_env} is ${key === null ? "missing" : "wrong"}` : "";
  throw new UsageProblem(`${where} answers with ${status}${cure === "" ? "" : `: ${cure}`}`);
};

const QDRANT_PORT = 6333;

/** As the memory does it: an address without a port means Qdrant's own, not that of the web. */
const withPort = (url: string): string => {
  const bare = url.replace(/\/+$/, "");
  return /^https?:\/\/[^/]*:\d+/.test(bare)
    ? bare
    : bare.replace(/^(https?:\/\/[^/]+)/, `$1:${QDRANT_PORT}`);
};
