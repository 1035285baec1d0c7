/* ---
description: >-
  Quadratic funding (Buterin, Hitzig and Weyl 2019). Projects get what others contribute, and a
  match from a common pool that grows with the number of families that contribute.
settings:
  type: object
  properties:
    period_s:
      type: integer
      minimum: 1
      maximum: 604800
      default: 600
      description: length of a round
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: fund
    description: Adds the attached scrip to the pool, from which matches are paid.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { pool: 100 }
  - name: enter
    description: >-
      Enters you as a project in this round, with a text for contributors. Another call replaces
      the text.
    input_schema:
      type: object
      properties:
        about: { type: string, minLength: 1, maxLength: 200 }
      required: [about]
    examples:
      - args: [a map of all services]
        result: { project: bob, round: 0, ends_at_ms: 600000 }
  - name: contribute
    description: >-
      Contributes the attached scrip to a project of this round. It gets the scrip at the end of the
      round, and it cannot be taken back. Contributions of one family count as one.
    input_schema:
      type: object
      properties:
        project: { type: string, maxLength: 128 }
      required: [project]
    examples:
      - args: [bob]
        result: { project: bob, scrip: 9, family: 9 }
  - name: projects
    description: >-
      The projects of this round, oldest first, 20 at a time, with what they got, from how many
      families, and the match if the round ended now; `after` is the number n of the last one that
      you have seen.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result:
          projects: [{ n: 1, project: bob, about: a map of all services, given: 13, families: 2, match: 12 }]
          next: null
  - name: results
    description: >-
      The latest rounds with projects. For each project, what it got from contributors and from the
      pool.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ round: 0, pool: 100, matched: 12, projects: [{ project: bob, given: 13, match: 12 }] }]
  - name: status
    description: >-
      The pool, the current round, its end, its projects and contributions. Any call ends a round
      whose time is over.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { round: 0, ends_at_ms: 600000, pool: 100, projects: 1, given: 13 }
  - name: collect
    description: Pays you what could not be delivered to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const CONTRIBUTION_MAX = 1_000_000_000;
const POOL_MAX = 1_000_000_000_000;
const PROJECTS_OF_ONE_MAX = 3;
const PROJECTS_BYTES_MAX = 36_000;
const RESULTS_BYTES_MAX = 8_000;

function fund() {
  _takesNoArtifacts();
  _settle();
  const scrip = _whole("the attached scrip", attached.scrip, { max: POOL_MAX });
  state.pool = _whole("the pool", state.pool + scrip, { max: POOL_MAX });
  return { pool: state.pool };
}

function enter(about) {
  _takesNothing();
  _settle();
  if (typeof about !== "string" || about.length < 1 || about.length > 200) {
    kernel.fail("bad_text", "describe the project in 1 to 200 characters");
  }
  const project = _party();
  const family = _familyOf(project);
  const old = state.projects.find((each) => each.project === project);
  if (old === undefined) {
    if (state.projects.filter((each) => each.family === family).length >= PROJECTS_OF_ONE_MAX) {
      kernel.fail("full", `your family has ${PROJECTS_OF_ONE_MAX} projects in this round`);
    }
    const n = (state.projects.at(-1)?.n ?? 0) + 1;
    state.projects.push({ n, project, family, about, given: {} });
  } else old.about = about;
  _keepWithinBounds();
  return { project, round: state.round, ends_at_ms: _round().ends_at_ms };
}

function contribute(project) {
  _takesNoArtifacts();
  _settle();
  const scrip = _whole("the attached scrip", attached.scrip, { max: CONTRIBUTION_MAX });
  const found = state.projects.find((each) => each.project === project);
  if (found === undefined) kernel.fail("not_found", "there is no such project; see projects()");
  const family = _familyOf(caller);
  const sum = _whole("contributions", _at(found.given, family, 0) + scrip, {
    max: CONTRIBUTION_MAX,
  });
  found.given = { ...found.given, [family]: sum };
  _keepWithinBounds();
  return { project, scrip, family: sum };
}

function projects(after) {
  _takesNothing();
  _settle();
  const matches = _matches();
  const shown = state.projects.map(({ n, project, about, given }, at) => {
    const families = Object.keys(given).length;
    return { n, project, about, given: _sum(Object.values(given)), families, match: matches[at] };
  });
  return _pageOf(shown, after, "projects");
}

function results() {
  _takesNothing();
  _settle();
  return state.results ?? [];
}

function status() {
  _takesNothing();
  _settle();
  const { round, pool } = state;
  const given = _sum(state.projects.flatMap((each) => Object.values(each.given)));
  const { ends_at_ms } = _round();
  return { round, ends_at_ms, pool, projects: state.projects.length, given };
}

function collect() {
  _settle();
  return _collected();
}

// Ends the round of the kept projects if its time is over.
function _settle() {
  const { n: round } = _round();
  state.pool ??= 0;
  state.projects ??= [];
  state.round ??= round;
  if (state.round === round) return;
  if (state.projects.length > 0) _end();
  state.round = round;
  _deliver();
}

function _end() {
  const matches = _matches();
  const paid = state.projects.map(({ project, given: each }, at) => {
    const [given, match] = [_sum(Object.values(each)), matches[at]];
    _owe(project, { scrip: given + match });
    return { project, given, match };
  });
  const matched = _sum(matches);
  const result = { round: state.round, pool: state.pool, matched, projects: paid };
  _keepResult(result, RESULTS_BYTES_MAX);
  state.pool -= matched;
  state.projects = [];
}

// The match of each project, in whole scrip. If the pool is too small for all, it is divided in
// proportion, and the scrip that are left go to the largest remainders, of equal ones to the older
// project.
function _matches() {
  const weights = state.projects.map(({ given }) => _weightOf(Object.values(given)));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  const pool = BigInt(state.pool);
  const full = weights.map((weight) => Number(weight / UNIT));
  if (all <= pool * UNIT) return full;
  const parts = weights.map((weight) => Number((weight * pool) / all));
  const remainders = weights.map((weight, at) => [at, (weight * pool) % all]);
  remainders.sort(([a, left], [b, other]) => (left === other ? a - b : left < other ? 1 : -1));
  const left = state.pool - _sum(parts);
  for (const [at] of remainders.slice(0, left)) parts[at] += 1;
  return parts;
}

// The match of a project with enough scrip in the pool: (Σ√c)² - Σc of the contributions c of each
// family, rounded to 26 binary places. The roots have 64, so that equal matches are equal here.
const UNIT = 1n << 26n;
const ROOT_PLACES = 64n;

function _weightOf(contributions) {
  const roots = contributions.map((scrip) => _root(BigInt(scrip) << (2n * ROOT_PLACES)));
  const root = roots.reduce((sum, each) => sum + each, 0n);
  const exact = root * root - (BigInt(_sum(contributions)) << (2n * ROOT_PLACES));
  const dropped = 2n * ROOT_PLACES - 26n;
  const rounded = (exact + (1n << (dropped - 1n))) >> dropped;
  return rounded > 0n ? rounded : 0n;
}

function _sum(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function _keepWithinBounds() {
  if (JSON.stringify(state.projects).length <= PROJECTS_BYTES_MAX) return;
  kernel.fail("full", "this round is full; take part in the next one");
}
