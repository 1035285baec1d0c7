import type { Model } from "./model.ts";
import type { SdkAccess } from "./sdk-model.ts";

/**
 * One provider through the AI SDK, which is loaded when it is first asked: that takes a fifth of a
 * second, and most commands ask nobody.
 */
export const lazySdk = (access: SdkAccess): Model => {
  let loading: Promise<Model> | null = null;
  const load = async (): Promise<Model> => {
    const { sdkModel } = await import("./sdk-model.ts");
    return sdkModel(access);
  };
  return {
    ask: async (request, signal) => {
      loading ??= load();
      return (await loading).ask(request, signal);
    },
  };
};
