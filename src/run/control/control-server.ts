import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Result } from "../../kernel/index.ts";
import { errorCode } from "../../world/index.ts";
import { runPaths, writeControlFile } from "../files/run-files.ts";
import type { ControlConnection } from "./control-connection.ts";
import type { ControlMethods } from "./protocol.ts";

/** The most connections of one run at the same time. */
const CONNECTIONS_MAX = 128;

const FULL = `a run has at most ${CONNECTIONS_MAX} connections; close one of them`;

/** How long the end of a run waits for clients to read their last responses. */
const CLOSE_MS_MAX = 100;

const SOCKET = "control.sock";

/** Loads the methods at the first connection. */
type MethodsOfRun = () => Promise<ControlMethods>;

/**
 * The control channel of a live run: a server on a socket that only this user can reach, and the
 * file `control.json` in the folder of the run, which names the socket.
 */
export class ControlServer {
  readonly #folder: string;
  readonly #address: string;
  readonly #server: Server;
  readonly #methods: MethodsOfRun;
  readonly #sockets = new Set<Socket>();

  constructor(folder: string, address: string, methods: MethodsOfRun) {
    this.#folder = folder;
    this.#address = address;
    this.#methods = methods;
    this.#server = createServer((socket) => void this.#accept(socket));
  }

  /** Opens the channel of the run in `folder`. The process must hold the lock of the run. */
  static async open(
    folder: string,
    methods: MethodsOfRun,
  ): Promise<Result<{ control: ControlServer }>> {
    let address: string;
    try {
      address = newAddress();
    } catch (error) {
      return { ok: false, problem: closed(`${tmpdir()}: ${errorCode(error)}`) };
    }
    const control = new ControlServer(folder, address, methods);
    const problem = (await control.#listen()) ?? writeControlFile(folder, { address });
    if (problem === null) return { ok: true, control };
    await control.close();
    return { ok: false, problem: closed(problem) };
  }

  /** Keeps the process alive until `close`. A paused run has nothing else that does this. */
  hold(): void {
    this.#server.ref();
  }

  /** Ends all connections after their last responses, and removes the socket and its file. */
  async close(): Promise<void> {
    rmSync(runPaths(this.#folder).control, { recursive: true, force: true });
    const over = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.end();
    await Promise.race([over, setTimeout(CLOSE_MS_MAX, undefined, { ref: false })]);
    for (const socket of this.#sockets) socket.destroy();
    await over;
    if (platform() !== "win32") rmSync(dirname(this.#address), { recursive: true, force: true });
  }

  /** Returns why the server cannot listen, or null. */
  async #listen(): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#server.once("error", (error) => resolve(`${this.#address}: ${errorCode(error)}`));
    this.#server.listen(this.#address, () => resolve(null)).unref();
    return await promise;
  }

  async #accept(socket: Socket): Promise<void> {
    // Without a listener, an error of a client would be thrown. It also ends the lines of a client.
    socket.on("error", () => {});
    const isFull = this.#sockets.size >= CONNECTIONS_MAX;
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    const connection = await this.#connectionOn(socket);
    if (connection === null) socket.destroy();
    else if (isFull) connection.refuse(FULL);
    else await connection.serve();
  }

  /** Most runs have no client, and start faster without these modules. */
  async #connectionOn(socket: Socket): Promise<ControlConnection | null> {
    try {
      const { ControlConnection } = await import("./control-connection.ts");
      return new ControlConnection(socket, await this.#methods());
    } catch {
      // The files of this program were replaced or removed. That must not stop the run.
      return null;
    }
  }
}

/** An address that only this user can reach: `mkdtemp` makes a folder with the mode 0700. */
const newAddress = (): string =>
  platform() === "win32"
    ? `\\\\.\\pipe\\catallaxy-${randomBytes(16).toString("hex")}`
    : join(mkdtempSync(join(tmpdir(), "catallaxy-control-")), SOCKET);

const closed = (why: string): string => `other processes cannot control this run: ${why}`;
