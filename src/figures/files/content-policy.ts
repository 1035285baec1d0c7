import { createHash } from "node:crypto";

type Allowed = {
  readonly style: string;
  readonly script?: string;
  /** True if the script runs code that is in the page in a worker. */
  readonly hasWorker?: boolean;
};

/**
 * A content security policy for a page that loads nothing: only this style and this script may run.
 * Pass both exactly as they stand between their tags.
 */
export const contentPolicy = ({ style, script, hasWorker = false }: Allowed): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${digest(script)}'`]),
    ...(hasWorker ? ["worker-src blob:"] : []),
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const digest = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;
