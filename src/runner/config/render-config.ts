import { stringify } from "yaml";
import type { Config } from "./config-schema.ts";

const HEAD =
  "# The configuration of this run, every key resolved. `sim run --config` takes it again.\n";

/** The text of a `config.yaml` that resolves to the same configuration. */
export const renderConfig = (config: Config): string =>
  `${HEAD}${stringify(config, { lineWidth: 0 })}`;
