import { agentHistory } from "../history/agent-history.ts";
import { artifactHistory } from "../history/artifact-history.ts";
import type { Span } from "../history/even-samples.ts";
import { seqIn } from "./query-parameters.ts";
import type { RunReader, StateAt } from "./run-reader.ts";
import type { RunAnswer, RunRoute } from "./served-run.ts";

const spanOf = ({ base }: RunReader, { seq: upTo, atMs: toMs }: StateAt): Span => {
  return { after: base.seq, upTo, fromMs: base.at_ms, toMs };
};

const agent: RunAnswer = ({ reader }, { req }) => {
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  return agentHistory(journal, req.param("agent") ?? "", { span, earlier });
};

const artifact: RunAnswer = ({ reader }, { req }) => {
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  return artifactHistory(journal, req.param("artifact") ?? "", { span, earlier });
};

/** The routes of the figures of one agent or artifact over run time. */
export const HISTORY_ROUTES: readonly RunRoute[] = [
  ["/agents/:agent/history", agent],
  ["/artifacts/:artifact/history", artifact],
];
