import type { Socket } from "node:net";
import { LINE_CHARS_MAX } from "./protocol.ts";

/** Stands for a line that is longer than `LINE_CHARS_MAX`. */
export const TOO_LONG = Symbol("too long");

/**
 * The lines that arrive at a socket, without empty lines. Reads no further while the consumer works
 * on a line. Ends when the other side closes the connection or vanishes.
 */
export async function* linesOf(socket: Socket): AsyncGenerator<string | typeof TOO_LONG, void> {
  socket.setEncoding("utf8");
  let line = "";
  let isTooLong = false;
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const text = String(chunk);
      for (let from = 0; from < text.length; ) {
        const end = text.indexOf("\n", from);
        if (!isTooLong) line += text.slice(from, end < 0 ? undefined : end);
        if (!isTooLong && line.length > LINE_CHARS_MAX) {
          isTooLong = true;
          line = "";
          yield TOO_LONG;
        }
        if (end < 0) break;
        if (line.trim() !== "") yield line;
        line = "";
        isTooLong = false;
        from = end + 1;
      }
    }
  } catch {
    // Only the socket throws here: the other side has vanished, or this side has closed it.
  }
}
