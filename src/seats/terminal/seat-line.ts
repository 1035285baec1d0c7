import { isObject, type JsonObject, jsonIn, type Result } from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import type { SeatCommand } from "../core/seat-command.ts";
import { WAIT_S_MAX } from "../core/seat-methods.ts";

/** What a line of the prompt asks for: a command of the seat, or one of the prompt itself. */
export type SeatLine =
  | Exclude<SeatCommand, { kind: "page" | "write" }>
  | { readonly kind: "inbox" | "quit" }
  | { readonly kind: "help"; readonly page: string | null }
  | { readonly kind: "write"; readonly id: string; readonly file: string };

type SeatWord = SeatLine["kind"];

type Read = Result<{ command: SeatLine }>;

type Form = {
  readonly form: string;
  readonly about: string;
  readonly read: (rest: string) => Read;
};

const WAIT_S = 60;

/** The commands of the prompt. */
export const SEAT_COMMANDS: { readonly [Word in SeatWord]: Form } = {
  look: {
    form: "look",
    about: "your money, quotas, artifacts, the market, messages, offers, tasks and the mint",
    read: () => found({ kind: "look" }),
  },
  search: {
    form: "search WORDS",
    about: "find artifacts by words of their id, type or description (an action)",
    read: (rest) => (rest === "" ? wrong("search") : found({ kind: "search", words: rest })),
  },
  read: {
    form: "read ID",
    about: "read an artifact: text, code and interface (an action)",
    read: (rest) => withWords("read", rest, ([id]) => ({ kind: "read", id })),
  },
  buy: {
    form: "buy ID [ARGS]",
    about: "call a program at the price that was shown; ARGS are JSON values: 21, or [21, 2]",
    read: (rest) => withArgs("buy", rest, ([id], args) => ({ kind: "buy", id, args })),
  },
  sell: {
    form: "sell ID PRICE",
    about: "set the price of an artifact of yours: of a call, or of a read if it is a text",
    read: (rest) =>
      withWords("sell", rest, ([id, price]) => {
        const amount = amountIn(price);
        return amount === null ? null : { kind: "sell", id, price: amount };
      }),
  },
  send: {
    form: "send TO TEXT [--attach N]",
    about: "send a private message to a principal, or to operator",
    read: (rest) => {
      const { text: letter, ...attach } = attachedIn(rest);
      const [, to = "", text = ""] = /^(\S+)\s+(.+)$/s.exec(letter) ?? [];
      if (to === "" || !isAmount(attach.attach)) return wrong("send");
      return found({ kind: "send", to, text, ...attach });
    },
  },
  inbox: { form: "inbox", about: "your messages", read: () => found({ kind: "inbox" }) },
  reply: {
    form: "reply N TEXT",
    about: "answer message N, to its sender",
    read: (rest) => {
      const [, number = "", text = ""] = /^([1-9]\d*)\s+(.+)$/s.exec(rest) ?? [];
      if (number === "") return wrong("reply");
      return found({ kind: "reply", message: Number(number), text });
    },
  },
  invoke: {
    form: "invoke ID METHOD [ARGS] [--attach N]",
    about: 'call any method, such as invoke genesis_ledger transfer "bob", 5',
    read: (rest) => {
      const { text, ...attach } = attachedIn(rest);
      if (!isAmount(attach.attach)) return wrong("invoke");
      return withArgs("invoke", text, ([id, method = ""], args) => {
        return { kind: "invoke", id, method, args, ...attach };
      });
    },
  },
  write: {
    form: "write ID FILE",
    about: "publish a file: .js is code, .json has the fields of write_artifact, others are text",
    read: (rest) => {
      const [, id = "", file = ""] = /^(\S+)\s+(.+)$/.exec(rest) ?? [];
      return id === "" ? wrong("write") : found({ kind: "write", id, file });
    },
  },
  bid: {
    form: "bid ID N",
    about: "bid N scrip at the mint with a program of yours",
    read: (rest) =>
      withWords("bid", rest, ([id, amount]) => {
        const scrip = amountIn(amount);
        return scrip === null ? null : { kind: "bid", id, amount: scrip };
      }),
  },
  wait: {
    form: "wait [S]",
    about: `wait for a message, at most S seconds of the run (${WAIT_S} without S)`,
    read: (rest) => {
      const seconds = rest === "" ? WAIT_S : Number(rest);
      if (!(seconds >= 0)) return wrong("wait");
      if (seconds <= WAIT_S_MAX) return found({ kind: "wait", seconds });
      return { ok: false, problem: `a wait takes at most ${WAIT_S_MAX} s` };
    },
  },
  help: {
    form: "help [PAGE]",
    about: "these commands, or a page of the handbook",
    read: (rest) => found({ kind: "help", page: rest === "" ? null : rest }),
  },
  quit: { form: "quit", about: "leave the seat", read: () => found({ kind: "quit" }) },
};

const isWord = (word: string): word is SeatWord => Object.hasOwn(SEAT_COMMANDS, word);

export const SEAT_WORDS: readonly SeatWord[] = Object.keys(SEAT_COMMANDS).filter(isWord);

/** Reads a line of the prompt, or says what is wrong. */
export const readSeatLine = (line: string): Read => {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  if (isWord(word)) return SEAT_COMMANDS[word].read(rest.trim());
  const meant = didYouMean(word, SEAT_WORDS) ?? "help lists the commands";
  return { ok: false, problem: `there is no command "${word}"; ${meant}` };
};

const found = (command: SeatLine): Read => ({ ok: true, command });

const wrong = (word: SeatWord): Read => {
  const { form } = SEAT_COMMANDS[word];
  const isMoney = / (PRICE|N|\[S\])/.test(form) && word !== "reply";
  const what = word === "wait" ? "S is a number of seconds" : "amounts are whole numbers of scrip";
  return { ok: false, problem: `usage: ${form}${isMoney ? `; ${what}` : ""}` };
};

type Words = readonly [string, ...(string | undefined)[]];

/** A command that takes exactly the words of its form. */
const withWords = (word: SeatWord, rest: string, of: (words: Words) => SeatLine | null): Read => {
  const [first = "", ...others] = rest.split(/\s+/);
  const count = SEAT_COMMANDS[word].form.split(" ").length - 1;
  const command = first === "" || others.length + 1 !== count ? null : of([first, ...others]);
  return command === null ? wrong(word) : found(command);
};

type CommandOf = (words: Words, args: string) => SeatLine;

const CALLS = { buy: /^(\S+)()\s*(.*)$/s, invoke: /^(\S+)\s+(\S+)\s*(.*)$/s };

/** A command that calls a program: its words, and then arguments as JSON. */
const withArgs = (word: keyof typeof CALLS, rest: string, of: CommandOf): Read => {
  const [, first = "", second, text = ""] = CALLS[word].exec(rest) ?? [];
  if (first === "") return wrong(word);
  return found(of([first, second], text));
};

/** The line without the `--attach N` at its end. */
const attachedIn = (rest: string): { readonly text: string; readonly attach?: number } => {
  const [whole = "", amount] = /\s*--attach[ =](\S+)\s*$/.exec(rest) ?? [];
  if (amount === undefined) return { text: rest };
  return { text: rest.slice(0, -whole.length), attach: Number(amount) };
};

const isAmount = (attach: number | undefined): boolean =>
  attach === undefined || (Number.isSafeInteger(attach) && attach > 0);

const amountIn = (text: string | undefined): number | null =>
  /^\d+$/.test(text ?? "") ? Number(text) : null;

/** The fields of `write_artifact` that publish a file, or what is wrong with the file. */
export const fieldsOfFile = (
  id: string,
  file: string,
  text: string,
): Result<{ fields: JsonObject }> => {
  const writing = (fields: JsonObject): Result<{ fields: JsonObject }> => ({
    ok: true,
    fields: { artifact_id: id, ...fields },
  });
  if (/\.m?js$/.test(file)) return writing({ code: text, artifact_type: "program" });
  if (!file.endsWith(".json")) return writing({ content: text });
  const fields = jsonIn(text);
  if (isObject(fields)) return writing(fields);
  return { ok: false, problem: `${file} is not a JSON object with the fields of write_artifact` };
};
