export {
  compileCache,
  errorLine,
  moduleUrl,
  notify,
  serve,
  WorkerClient,
} from "./worker-thread.ts";
