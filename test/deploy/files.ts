import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

export const ROOT = join(import.meta.dirname, "../..");

export const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The documents of a file of YAML. */
export const documentsOf = (file: string) =>
  parseAllDocuments(textOf(file), { merge: true }).map((each) => {
    if (each.errors.length > 0) throw new Error(`${file}: ${each.errors[0]?.message}`);
    return each.toJS();
  });

export const KUBERNETES = readdirSync(join(ROOT, "deploy/kubernetes")).map(
  (name) => `deploy/kubernetes/${name}`,
);

export const DOCKERFILE = textOf("deploy/Dockerfile").replaceAll("\\\n", " ");

/** The files and folders of the repository that the image has, without the packages. */
export const COPIED = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  .flatMap(([, sources = ""]) => sources.split(" "))
  .filter((path, place, all) => all.indexOf(path) === place);

/** The program that checks the health of a container. */
export const HEALTH_SCRIPT: string = JSON.parse(
  /CMD (\["node".*\])$/m.exec(DOCKERFILE)?.[1] ?? "[]",
)[2];
