/** Holds the files of deploy/ to the command line, the settings and each other. */
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTimeMs } from "../../src/world/index.ts";
import { sim } from "../support/sim.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  COPIED,
  DOCKERFILE,
  documentsOf,
  HEALTH_SCRIPT,
  KUBERNETES,
  ROOT,
  textOf,
} from "./files.ts";

const COMPOSE = "deploy/compose.yaml";
const [compose] = documentsOf(COMPOSE);
const resources = KUBERNETES.flatMap(documentsOf);
const podOf = (kind: string) => resources.find((each) => each.kind === kind).spec.template.spec;
const deployment = podOf("Deployment");
const [worker] = deployment.containers;
const { worker: service, experiment, qdrant } = compose.services;
const PORT = /^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1];

const variable = (name: string): string => `$\{${name}}`;

/** A command with the defaults of its variables. */
const filled = (args: readonly string[]): readonly string[] =>
  args.map((arg) => arg.replace(/\$\{\w+:-([^}]*)\}/g, "$1"));

/** The value of a flag, as `--flag value` or `--flag=value`. */
const flagIn = (args: readonly string[], flag: string): string => {
  const joined = args.find((arg) => arg.startsWith(`${flag}=`));
  return joined?.slice(flag.length + 1) ?? args[args.indexOf(flag) + 1] ?? "";
};

describe("the command lines", () => {
  it.each([
    ["the worker of compose.yaml", service.command],
    ["the experiment of compose.yaml", experiment.command],
    ["the worker of Kubernetes", worker.args],
    ["the experiment of Kubernetes", podOf("Job").containers[0].args],
  ])("are valid up to the address of Redis: %s", (_, args) => {
    const cwd = temporaryFolder();
    for (const folder of ["experiments", "mechanisms"]) {
      cpSync(join(ROOT, folder), join(cwd, folder), { recursive: true });
    }
    const study = resources.find(({ kind }) => kind === "ConfigMap").data["study.yaml"];
    writeFileSync(join(cwd, "study.yaml"), study);
    const here = filled(args).map((arg) => arg.replace("/study/", "").replace("/results/", ""));
    expect(flagIn(args, "--on")).toBe("env:QUEUE");
    const { code, err } = sim(cwd, ...here);
    expect(err).toBe("sim: --on: set the environment variable QUEUE\n");
    expect(code).toBe(2);
  });

  it("end runs before the container is killed", () => {
    const grace = (args: readonly string[]) => parseTimeMs(flagIn(args, "--grace")) ?? 0;
    const spare = 10_000;
    expect(grace(service.command)).toBeGreaterThan(0);
    expect(parseTimeMs(service.stop_grace_period)).toBeGreaterThanOrEqual(
      grace(service.command) + spare,
    );
    const { terminationGracePeriodSeconds: seconds } = deployment;
    expect(grace(worker.args)).toBeGreaterThan(0);
    expect(seconds * 1_000).toBeGreaterThanOrEqual(grace(worker.args) + spare);
  });
});

it("agree about the port of the metrics, and probe what is served", () => {
  expect(PORT).toBeDefined();
  const everywhere = `0.0.0.0:${PORT}`;
  expect(HEALTH_SCRIPT).toContain(`http://127.0.0.1:${PORT}/healthz`);
  expect(flagIn(service.command, "--metrics")).toBe(everywhere);
  expect(flagIn(worker.args, "--metrics")).toBe(everywhere);
  expect(service.expose).toEqual([PORT]);
  expect(worker.ports).toEqual([{ name: "metrics", containerPort: Number(PORT) }]);
  const [{ metadata, spec }] = documentsOf("deploy/kubernetes/worker.yaml");
  expect(spec.selector.matchLabels).toEqual(metadata.labels);
  expect(spec.template.metadata.annotations["prometheus.io/port"]).toBe(PORT);
  expect(worker.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "metrics" });
  expect(worker.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "metrics" });
  const [{ scrape_configs }] = documentsOf("deploy/prometheus.yaml");
  const [{ dns_sd_configs }] = scrape_configs;
  expect(dns_sd_configs).toEqual([{ names: ["worker"], type: "A", port: Number(PORT) }]);
});

it("name only variables that the documentation knows", () => {
  const settings = textOf("config.yaml");
  const docs = textOf("docs/scale.md");
  for (const name of Object.keys(service.environment)) {
    if (name !== "QUEUE") expect(settings, name).toContain(`api_key_env: ${name}`);
  }
  for (const [, name = ""] of textOf(COMPOSE).matchAll(/\$\{(\w+)/g)) {
    expect(docs, name).toContain(`\`${name}\``);
  }
});

it("protect Redis and Qdrant, and wait for them", () => {
  const { redis } = compose.services;
  expect(redis.command).toEqual([
    "redis-server",
    "--appendonly",
    "yes",
    "--requirepass",
    variable("REDIS_PASSWORD"),
  ]);
  expect(qdrant.environment).toEqual({ QDRANT__SERVICE__API_KEY: variable("QDRANT_API_KEY") });
  expect(redis).not.toHaveProperty("ports");
  expect(qdrant.ports).toEqual(["127.0.0.1:6333:6333"]);
  for (const name of Object.keys(service.depends_on)) {
    expect(compose.services[name]).toHaveProperty("healthcheck");
  }
});

it("mount what they name, as a user without rights", () => {
  for (const kind of ["Deployment", "Job"]) {
    const { volumes, securityContext, containers } = podOf(kind);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { volumeMounts, resources: needs } of containers) {
      const names = volumeMounts.map(({ name }: { name: string }) => name);
      expect(names.toSorted()).toEqual(
        volumes.map(({ name }: { name: string }) => name).toSorted(),
      );
      expect(needs.requests).toEqual({ cpu: expect.any(String), memory: expect.any(String) });
    }
  }
  expect(DOCKERFILE).toMatch(/^USER 1000:1000$/m);
  expect(DOCKERFILE).toMatch(/^ENTRYPOINT \["sim"\]$/m);
});

describe("the image", () => {
  it("copies what exists, and its context has nothing else", () => {
    for (const path of COPIED) expect(existsSync(join(ROOT, path)), path).toBe(true);
    const ignored = textOf("deploy/Dockerfile.dockerignore")
      .split("\n")
      .filter((line) => !/^(#|$)/.test(line));
    expect(ignored.toSorted()).toEqual(["*", ...COPIED.map((path) => `!${path}`)].toSorted());
  });

  it("has the versions of the project", () => {
    const { dependencies } = JSON.parse(textOf("package.json"));
    const majorOf = (range: string) => /\d+/.exec(range)?.[0];
    expect(/^FROM node:(\d+)-/m.exec(DOCKERFILE)?.[1]).toBe(majorOf(dependencies.node));
    const minor = /\d+\.\d+/.exec(dependencies["@qdrant/js-client-rest"])?.[0];
    expect(qdrant.image).toContain(`:v${minor}.`);
  });
});
