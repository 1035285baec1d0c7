import { cutText } from "../../kernel/index.ts";
import { CODING_AGENTS } from "../../mind/index.ts";
import type { Environment } from "../../model/index.ts";
import { agentEnvironment } from "./environment.ts";
import type { StreamFormat } from "./stream/stream-reader.ts";

/** The name under which a coding agent sees the MCP server that it is given. */
const SERVER_NAME = "catallaxy";

/** An MCP server that the coding agent starts, and talks to by its standard input and output. */
export type McpCommand = { readonly command: string; readonly args: readonly string[] };

type TurnTask = {
  readonly prompt: string;
  /** Text before the prompt, or in addition to the system prompt of the program. May be empty. */
  readonly systemPrompt: string;
  readonly model: string | null;
  /** The session to continue. Null: a new one. */
  readonly sessionId: string | null;
  readonly mcpServer: McpCommand | null;
  /** Whether the program may skip its own questions for permission, and its sandbox. */
  readonly unsafe: boolean;
  /** More arguments for the program. */
  readonly args: readonly string[];
};

/** What a program of a known provider gets for a turn. */
type ProgramInput = {
  readonly args: readonly string[];
  readonly stdin: string;
  /** Settings that stand in a file of the folder during the turn. Null: the flags are enough. */
  readonly settings: { readonly path: string; readonly value: object } | null;
};

type Provider = {
  readonly executable: string;
  readonly stream: StreamFormat;
  readonly installPage: string;
  /** Variables of its keys and its configuration. A name with `*` stands for all that begin so. */
  readonly variables: readonly string[];
  readonly inputFor: (task: TurnTask) => ProgramInput;
};

/** What each program needs to reach its servers from behind a proxy. */
const NETWORK = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

const given = (flag: string, value: string | null): readonly string[] =>
  value === null || value === "" ? [] : [flag, value];

const withSystem = ({ systemPrompt, prompt }: Pick<TurnTask, "systemPrompt" | "prompt">): string =>
  systemPrompt === "" ? prompt : `${systemPrompt}\n\n---\n\n${prompt}`;

/** Linux allows 128 KiB in one argument. A longer text can only go to the standard input. */
const ARGUMENT_BYTES_MAX = 100_000;

/**
 * The prompt goes to the standard input: an argument has a limited length, is visible to all users,
 * and can look like a flag.
 */
const claude = (task: TurnTask): ProgramInput => {
  const { mcpServer, systemPrompt } = task;
  const fits = Buffer.byteLength(systemPrompt) <= ARGUMENT_BYTES_MAX;
  const config = JSON.stringify({ mcpServers: { [SERVER_NAME]: mcpServer } });
  const server = ["--mcp-config", config, "--strict-mcp-config"];
  return {
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose"],
      ...given("--model", task.model),
      ...(task.sessionId === null ? [] : [`--resume=${task.sessionId}`]),
      ...given("--append-system-prompt", fits ? systemPrompt : null),
      // Flags that take several values come before a flag that takes none.
      ...(mcpServer === null ? [] : ["--allowedTools", `mcp__${SERVER_NAME}`, ...server]),
      ...(task.unsafe ? ["--dangerously-skip-permissions"] : []),
      ...task.args,
    ],
    stdin: fits ? task.prompt : withSystem(task),
    settings: null,
  };
};

/** Strings and lists of JSON are TOML too, the language of these values. */
const codexServer = ({ command, args }: McpCommand): readonly string[] =>
  Object.entries({ command, args, default_tools_approval_mode: "approve" }).flatMap(
    ([key, value]) => ["-c", `mcp_servers.${SERVER_NAME}.${key}=${JSON.stringify(value)}`],
  );

const codex = (task: TurnTask): ProgramInput => ({
  args: [
    ...["exec", "--json", "--skip-git-repo-check"],
    ...given("--model", task.model),
    ...(task.mcpServer === null ? [] : codexServer(task.mcpServer)),
    ...(task.unsafe ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
    // `resume` does not take all of them.
    ...task.args,
    ...(task.sessionId === null ? [] : ["resume", task.sessionId]),
    "-",
  ],
  stdin: withSystem(task),
  settings: null,
});

const gemini = (task: TurnTask): ProgramInput => {
  const { mcpServer } = task;
  const server = { mcpServers: { [SERVER_NAME]: { ...mcpServer, trust: true } } };
  return {
    args: [
      ...["--output-format", "stream-json"],
      ...given("--model", task.model),
      ...(task.sessionId === null ? [] : [`--resume=${task.sessionId}`]),
      ...(mcpServer === null ? [] : ["--allowed-mcp-server-names", SERVER_NAME]),
      ...(task.unsafe ? ["--yolo"] : []),
      ...task.args,
    ],
    stdin: withSystem(task),
    settings: mcpServer === null ? null : { path: ".gemini/settings.json", value: server },
  };
};

export const PROVIDERS: { readonly [name in AgentProvider]: Provider } = {
  claude: {
    executable: "claude",
    stream: "claude",
    installPage: "https://docs.anthropic.com/en/docs/claude-code/setup",
    variables: ["ANTHROPIC_*", "CLAUDE_*", ...NETWORK],
    inputFor: claude,
  },
  codex: {
    executable: "codex",
    stream: "codex",
    installPage: "https://developers.openai.com/codex/cli",
    variables: ["OPENAI_*", "CODEX_*", ...NETWORK],
    inputFor: codex,
  },
  gemini: {
    executable: "gemini",
    stream: "gemini",
    installPage: "https://geminicli.com/docs/get-started/installation",
    variables: ["GEMINI_*", "GOOGLE_*", ...NETWORK],
    inputFor: gemini,
  },
};

export type AgentProvider = (typeof CODING_AGENTS)[number];

/** The program that makes a turn. */
export type AgentProgram =
  | {
      readonly provider: AgentProvider;
      /** Null: the usual name of the program. */
      readonly executable: string | null;
      /** More arguments for the program. */
      readonly args: readonly string[];
      readonly model: string | null;
      readonly unsafe: boolean;
    }
  /** A command of the user. It gets the prompt on its standard input, and no session. */
  | {
      readonly provider: "command";
      readonly argv: readonly [string, ...string[]];
      readonly stream: StreamFormat;
    };

/** What to start for a turn, and how to read what it prints. */
export const launchOf = (
  program: AgentProgram,
  task: Omit<TurnTask, "model" | "unsafe" | "args">,
): ProgramInput & Pick<Provider, "stream" | "variables"> & { readonly file: string } => {
  if (program.provider === "command") {
    const { argv, stream } = program;
    const [file, ...args] = argv;
    return { file, args, stdin: withSystem(task), settings: null, stream, variables: [] };
  }
  const { executable, args, model, unsafe } = program;
  const { inputFor, stream, variables, executable: usual } = PROVIDERS[program.provider];
  const input = inputFor({ ...task, model, unsafe, args });
  return { ...input, stream, variables, file: executable ?? usual };
};

const ANSWER_MS_MAX = 10_000;
const VERSION_CHARS_MAX = 60;

type InstalledAgent = {
  readonly provider: AgentProvider;
  /** What it says about its version. Null: it is not installed. */
  readonly version: string | null;
};

/** Asks each of the known coding agents for its version. Never rejects. */
export const installedAgents = async (env: Environment): Promise<readonly InstalledAgent[]> => {
  const { execa } = await import("execa");
  const asked = CODING_AGENTS.map(async (provider) => {
    const { executable, variables } = PROVIDERS[provider];
    const { stdout, exitCode } = await execa(executable, ["--version"], {
      env: agentEnvironment(env, variables, {}),
      extendEnv: false,
      stdin: "ignore",
      reject: false,
      timeout: ANSWER_MS_MAX,
      killDescendants: true,
    });
    if (exitCode === undefined) return { provider, version: null };
    const [line = ""] = stdout.split("\n");
    return { provider, version: cutText(line.trim(), VERSION_CHARS_MAX) || "unknown version" };
  });
  return Promise.all(asked);
};
