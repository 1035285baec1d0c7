import type { Physics } from "../kernel/index.ts";
import { Sandbox } from "./sandbox/index.ts";

export { Sandbox };

/** An engine with the limits of a world's physics. */
export const sandboxFor = (physics: Physics): Sandbox => {
  const { sandbox, access } = physics;
  const table = sandbox.gas_table;
  return new Sandbox({
    gasMax: sandbox.gas_max,
    memoryBytes: sandbox.memory_bytes,
    stackBytes: sandbox.stack_bytes,
    resultBytesMax: sandbox.result_bytes_max,
    stateBytesMax: sandbox.state_bytes_max,
    logBytesMax: sandbox.log_bytes_max,
    syscallsMax: sandbox.syscalls_max,
    wallFuseMs: sandbox.wall_fuse_ms,
    depthMax: sandbox.invoke_depth_max + access.depth_max,
    gasTable: {
      call: table.call,
      perKbCode: table.per_kb_code,
      perKbInput: table.per_kb_input,
      syscall: table.syscall,
      tick: table.tick,
      perKbNative: table.per_kb_native,
    },
  });
};
