#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Node keeps compiled modules in the folder for temporary files: the next command starts faster.
const { directory } = enableCompileCache();
// Threads and child processes find them through the environment.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;

const { runInProcess } = await import("./process.ts");
await runInProcess(fileURLToPath(import.meta.url));
