import { spawn } from "node:child_process";
import { platform } from "node:os";
import type { Shell } from "./shell.ts";

/** The program of each system that opens an address in the browser of whoever sits there. */
const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address in a browser where there is a screen; where that fails, it was printed. */
export const showInBrowser = (address: string, env: Shell["env"]): void => {
  const [program = "xdg-open", ...args] = OPENERS[platform()] ?? [];
  const hasScreen = platform() in OPENERS || [env.DISPLAY, env.WAYLAND_DISPLAY].some(Boolean);
  if (!hasScreen) return;
  const opening = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  opening.on("error", () => {});
  opening.unref();
};
