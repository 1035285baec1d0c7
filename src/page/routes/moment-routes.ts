import type { HonoRequest } from "hono";
import { numberIn, parsePeriod, seqIn, textIn } from "./query-parameters.ts";
import type { RunAnswer, RunRoute } from "./served-run.ts";
import { lifeTimeline, type MomentFilter, momentPage, momentView } from "./views/moments-view.ts";

const MOMENTS_MAX = 200;

const momentFilterIn = (req: HonoRequest): MomentFilter => ({
  agent: textIn(req.query("agent")),
  artifact: textIn(req.query("artifact")),
  led: req.query("led") === "true",
  verb: textIn(req.query("verb")),
  ...parsePeriod(req),
  search: req.query("search") ?? "",
  upTo: seqIn(req, "at") ?? Number.MAX_SAFE_INTEGER,
});

const moments: RunAnswer = ({ reader }, { req }) => {
  const limit = Math.min(numberIn(req.query("limit"), 100), MOMENTS_MAX);
  return momentPage(reader, momentFilterIn(req), {
    offset: numberIn(req.query("offset"), 0),
    limit,
    isNewestFirst: req.query("order") === "newest",
  });
};

const timeline: RunAnswer = ({ reader }, { req }) => {
  const filter = momentFilterIn(req);
  const { base } = reader;
  const nowMs = reader.at(seqIn(req, "at")).atMs;
  const fromMs = Math.max(base.at_ms, filter.fromMs ?? base.at_ms);
  const toMs = Math.max(fromMs, Math.min(nowMs, filter.toMs ?? nowMs));
  return lifeTimeline(reader, filter, { fromMs, toMs });
};

const chosenMoment: RunAnswer = async ({ reader }, { req }) => {
  const upTo = seqIn(req, "at") ?? Number.MAX_SAFE_INTEGER;
  const found = await momentView(reader, numberIn(req.param("seq"), 0), upTo);
  return found ?? "no moment ended with this event";
};

/** The routes of the lives of agents. Nothing is read for them before the first request. */
export const MOMENT_ROUTES: readonly RunRoute[] = [
  ["/moments", moments],
  ["/moments/:seq", chosenMoment],
  ["/lives", timeline],
];
