import { expect } from "vitest";
import type { RunningSim } from "./sim.ts";

/** The address at which a command with `--metrics` says that it serves them. */
export const metricsAddress = async (
  running: Pick<RunningSim, "until" | "outputSoFar">,
): Promise<string> => {
  await running.until(/^metrics at http/m);
  return /^metrics at (\S+\/)metrics$/m.exec(running.outputSoFar().err)?.[1] ?? "";
};

/** The status and the text of an answer. */
export const answerOf = async (url: string): Promise<readonly [number, string]> => {
  const response = await fetch(url);
  return [response.status, await response.text()];
};

/** The samples of a text for Prometheus, such as `catallaxy_agents{state="frozen"}`. */
export type Samples = ReadonlyMap<string, number>;

const SAMPLE = /^([a-z_][a-z0-9_]*(?:\{(?:[a-z]+="[^"]*",?)*\})?) (\S+)$/i;

/** Reads the text, whose form must be that of Prometheus. */
export const samplesIn = (text: string): Samples => {
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, typed = "", type = ""] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (type !== "") types.set(typed, type);
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = SAMPLE.exec(line) ?? [];
    expect(name, `a sample in the line ${line}`).not.toBe("");
    expect(samples.has(name), `${name} comes twice`).toBe(false);
    samples.set(name, Number(value));
  }
  for (const name of samples.keys()) {
    const bare = name.replace(/\{.*/, "");
    const type = types.get(bare);
    expect(type, `the type of ${bare}`).toMatch(/^(counter|gauge)$/);
    expect(type === "counter", `only counters end with _total: ${bare}`).toBe(
      bare.endsWith("_total"),
    );
  }
  return samples;
};

/** The values of a metric by one label. */
export const byLabel = (samples: Samples, metric: string, label: string) =>
  Object.fromEntries(
    [...samples].flatMap(([name, value]) => {
      const found = new RegExp(`[{,]${label}="([^"]*)"`).exec(name)?.[1];
      return name.startsWith(`${metric}{`) && found !== undefined ? [[found, value]] : [];
    }),
  );
