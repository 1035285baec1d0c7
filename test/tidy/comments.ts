import { everywhere, fileRule, inSource, type Rule } from "./rule.ts";
import { child, nameOf, type SyntaxNode } from "./source-file.ts";

/** Standards that look like tickets. */
const STANDARD = /^(UTF|SHA|ISO|RFC|IEEE|FIPS|ECMA|ES|MD|CRC|AES|RSA|BASE|IPV)-/i;

export const commentRule: Rule = fileRule("comments say why", everywhere, (file, complain) => {
  for (const { value, start } of file.comments) {
    const mark = /\b(FIXME|TODO|XXX)\b/.exec(value)?.[1];
    if (mark !== undefined) complain({ start }, `${mark}: do it now, or say why it is as it is`);
    const ticket = ticketIn(value);
    if (ticket !== null) {
      complain({ start }, `"${ticket}" is history; say the reason itself, git keeps the rest`);
    }
  }
});

function ticketIn(comment: string): string | null {
  const numbered = /(?<![\w&/])#\d+\b|\b(issue|ticket|bug|pr|plan|phase)\s+#?\d+\b/i.exec(comment);
  if (numbered !== null) return numbered[0];
  const tickets = comment.match(/\b[A-Z][A-Z0-9]+-\d{2,}\b/g) ?? [];
  return tickets.find((ticket) => !STANDARD.test(ticket)) ?? null;
}

/**
 * Where the outside world throws and an error becomes a value. A path that ends with a slash
 * stands for a whole room. Add a file only with the reason why what it calls cannot answer with a
 * value.
 */
export const CATCH_BOUNDARIES: ReadonlyMap<string, string> = new Map([
  ["src/cli/program.ts", "the last resort: an uncaught error becomes an exit code"],
  ["src/cli/run/open-run.ts", "what reads a damaged journal throws anything"],
  ["src/cli/work/work-folder.ts", "the file system throws"],
  ["src/observe/output-files.ts", "the file system throws, and names no path where a disk is full"],
  ["src/cli/chat/workspace-export.ts", "the file system throws"],
  ["src/kernel/primitives/json.ts", "JSON.parse throws on invalid JSON"],
  [
    "src/world/state-codec/read-state.ts",
    "JSON.parse and the readers of rows throw on invalid input",
  ],
  ["src/mind/workspace/apply-patch.ts", "the library throws on text that is not a diff"],
  ["src/mind/python/script-process.ts", "process.kill throws if the processes have ended"],
  ["src/mind/coding-agent/marked-processes.ts", "a process can end while it is looked at"],
  ["src/mind/coding-agent/settings-file.ts", "the file system throws"],
  ["src/mind/plugin/plugin-answers.ts", "zod throws on what is not a JSON Schema"],
  ["src/mind/workflow/expression.ts", "node:vm throws on what is not JavaScript"],
  ["src/mind/user/worker/", "the code of a user throws anything"],
  ["src/world/checkpoint/envelope.ts", "JSON.parse throws on what others wrote"],
  ["src/world/checkpoint/checkpoint-file.ts", "the file system throws"],
  ["src/world/journal/files.ts", "the file system throws"],
  ["src/world/zstd.ts", "zstd throws on damaged bytes"],
  ["src/world/journal/journal.ts", "SQLite throws when a journal is opened"],
  ["src/world/journal/writer/group-writer.ts", "SQLite and the disk throw when a commit fails"],
  ["src/world/journal/writer/wal-sync.ts", "the file system throws when the log is opened"],
  ["src/world/journal/open-database.ts", "SQLite and the file system throw when opening"],
  ["src/world/journal/sqlite.ts", "turns what SQLite throws into a JournalFailure"],
  ["src/world/journal/run-lock.ts", "the file system throws"],
  ["src/world/verify/", "a journal that lies throws when it is played back"],
  ["src/world/replay.ts", "a journal that lies throws when it is played back"],
  ["src/mind/memory/sqlite/index-file.ts", "SQLite throws on a damaged or full file"],
  ["src/mind/memory/sqlite/index-worker.ts", "SQLite throws on a damaged or full file"],
  ["src/mind/memory/working-memory.ts", "YAML throws on what an agent wrote"],
  ["src/mind/model/sdk/guarded-fetch.ts", "a connection can break in the middle of a body"],
  ["src/runner/agents/language-models.ts", "a listener of the caller may throw anything"],
  ["src/mind/worker-thread.ts", "an error in the thread is passed to the caller"],
  ["src/observe/dashboard/server.ts", "JSON.parse throws on what a browser sent"],
  ["src/observe/dashboard/run-summaries.ts", "what reads a damaged journal throws anything"],
  ["src/observe/routes/run-reader.ts", "what reads a damaged journal throws anything"],
  ["src/observe/page/published/worker.ts", "what reads a damaged journal throws anything"],
  ["src/observe/page/parts/typed-json.ts", "JSON.parse throws on what a person typed"],
  ["src/observe/page/dashboard/address.ts", "an address can be typed that decodes to nothing"],
  ["src/observe/page/dashboard/api.ts", "a server can go away while it is asked"],
  ["src/experiment/measure/user-measure.ts", "a module of the user throws when it is loaded"],
  ["src/cli/experiment/run-worker.ts", "a run that throws is a failed run of its experiment"],
  ["src/queue/redis-connection.ts", "the driver throws if the server cannot be reached"],
  ["src/queue/presence.ts", "the server can go away while a member says that it is there"],
  ["src/experiment/queue/queue-worker.ts", "files, Redis and the store of a run throw"],
  ["src/experiment/queue/s3-store.ts", "a service that cannot be reached throws"],
  ["src/cli/verbs/worker.ts", "a store that takes no files throws"],
  ["src/experiment/queue/queue-executor.ts", "Redis throws, for example if it is full"],
  ["src/runner/control/connect.ts", "a connection to a process that has ended throws"],
  ["src/runner/control/control-server.ts", "the file system throws, and so does a missing module"],
  ["src/runner/control/lines.ts", "a client can vanish while its lines are read"],
  ["src/runner/config/yaml-file.ts", "the file system throws"],
  ["src/runner/run/run-directory.ts", "the file system throws"],
  ["src/runner/persona/workspace-folder.ts", "the file system throws"],
  ["src/runner/coding-turns/coding-turns.ts", "the file system throws"],
  ["src/runner/run/simulation-runner.ts", "a journal that fails ends the run with its reason"],
  ["src/runner/run/journal-failure.ts", "a journal that fails ends the run with its reason"],
  ["src/world/clock/scheduler.ts", "a task that throws must surface from run, not vanish"],
  ["src/world/sandbox/", "untrusted code throws, and the engine with it"],
]);

const boundaryOf = (path: string): string | undefined =>
  [...CATCH_BOUNDARIES.keys()].find((each) =>
    each.endsWith("/") ? path.startsWith(each) : path === each,
  );

export const catchRule: Rule = {
  name: "errors are caught at boundaries only",
  check: (project) => {
    const used = new Set<string | undefined>();
    const violations = fileRule("", inSource, (file, complain) => {
      for (const { node } of file.nodes.filter((each) => catches(each.node))) {
        used.add(boundaryOf(file.path));
        if (boundaryOf(file.path) !== undefined) continue;
        const cure =
          "return the error as a value, let bugs crash, or list the file with its reason";
        complain(node, `catches outside the boundaries; ${cure} in test/tidy/comments.ts`);
      }
    }).check(project);
    const present = (boundary: string): boolean =>
      project.files.some(({ path }) => path.startsWith(boundary));
    const stale = [...CATCH_BOUNDARIES.keys()].filter((each) => present(each) && !used.has(each));
    return [
      ...violations,
      ...stale.map((path) => ({
        path,
        line: 1,
        message: "catches nothing; remove it from the list in test/tidy/comments.ts",
      })),
    ];
  },
};

function catches(node: SyntaxNode): boolean {
  if (node.type === "CatchClause") return true;
  const callee = node.type === "CallExpression" ? child(node, "callee") : null;
  return callee?.type === "MemberExpression" && nameOf(child(callee, "property")) === "catch";
}
