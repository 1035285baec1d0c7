import { statSync } from "node:fs";
import { showProblem, surveyPersonas } from "../../../runner/index.ts";
import { agentsFolder, openConfig } from "../../open-config.ts";
import { UsageProblem } from "../../usage-problem.ts";

/** The flags of every verb about personas. */
export type AgentsFlags = { readonly agents?: string; readonly json?: true };

/** The folder that is meant. */
export const folderOf = ({ agents }: AgentsFlags): string =>
  agentsFolder(openConfig({ set: [] }, [{ key: "agents.dir", value: agents, origin: "--agents" }]));

/** What is not a folder is not a population with problems, but a wrong path. */
export const surveyOf = (flags: AgentsFlags): ReturnType<typeof surveyPersonas> => {
  const folder = folderOf(flags);
  const survey = surveyPersonas(folder);
  if (!isFolder(folder)) throw new UsageProblem(survey.problems.map(showProblem));
  if (survey.personas.length === 0 && survey.problems.length === 0) {
    throw new UsageProblem(`${folder} holds no personas: each is a folder with an agent.yaml`);
  }
  return survey;
};

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
