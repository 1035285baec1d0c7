import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file in which `egress.ts` notes the hosts that a process connects to. */
export const egressLog = (pid: number): string => join(tmpdir(), `egress-${pid}.log`);
