import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Publication, PublishedCheck } from "../../published/publication.ts";
import { Button } from "../parts/parts.ts";
import { countText, numberText } from "../parts/text.ts";
import { ask, useAnswer } from "./api.ts";

/** What a published page leaves out, and the button that verifies its run. */
export const PublishedBar = ({ path }: { readonly path: string }) => {
  const { value: publication } = useAnswer<Publication>("/publication");
  const [said, say] = useState("");
  const verify = (): void => {
    say("verifying …");
    void ask<PublishedCheck>(`${path}/verify`).then(({ value, problem }) =>
      say(value === null ? (problem ?? "") : checkText(value)),
    );
  };
  return html`
    <div class="controls">
      <span class="note">${publication === null ? "" : aboutText(publication)}</span>
      <${Button} class="control" isOff=${false} onClick=${verify}>Verify<//>
    </div>
    <p class="said" role="status">${said}</p>
  `;
};

const aboutText = ({ version, left_out: leftOut }: Publication): string => {
  const without = leftOut.length === 0 ? "" : `, without ${leftOut.join(", ")}`;
  return `published by catallaxy ${version}${without}`;
};

const HASH_CHARS = 12;

const checkText = ({ problem, events, redacted, head, state_hash }: PublishedCheck): string => {
  if (problem !== null) return `not valid: ${problem}`;
  const end = `the chain ends with ${head.slice(0, HASH_CHARS)}`;
  const state = `the state hash is ${state_hash.slice(0, HASH_CHARS)}`;
  if (redacted === 0) return `valid: ${countText(events, "event")}, ${end}, ${state}`;
  const part = `${numberText(events - redacted)} of ${countText(events, "event")}`;
  return `valid as far as it can be checked: ${part}, ${end}, ${state}; the others lost texts`;
};
