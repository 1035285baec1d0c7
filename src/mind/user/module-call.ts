import { Dice, type PrngState } from "../../kernel/index.ts";

import type { CallReply, ModuleCall } from "./messages.ts";
import type { UserModule } from "./module-thread.ts";

/** Calls a function of a module with random numbers. `dice` is their state after the call. */
export const calledWith = (
  module: UserModule,
  call: ModuleCall,
  state: PrngState,
): Omit<CallReply, "kind" | "used"> & { readonly dice: PrngState } => {
  const ahead = new Dice(state);
  const { used, ...reply } = module.call(call, (count) =>
    Array.from({ length: count }, () => ahead.next()),
  );
  const dice = new Dice(state);
  for (let drawn = 0; drawn < used; drawn += 1) dice.next();
  return { ...reply, dice: dice.state };
};
