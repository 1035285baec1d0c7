import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Tick } from "../../../routes/index.ts";
import { Button } from "../../parts/parts.ts";
import { clockText, momentText, numberText } from "../../parts/text.ts";
import { SPEEDS } from "./playing.ts";
import type { Scrubber } from "./scrubber.ts";

type TransportParts = MomentFieldParts & { readonly scrubber: Scrubber; readonly tick: Tick };

/** The buttons that move and play the moment, the moment, and a field for a moment or period. */
export const Transport = ({ scrubber, tick, openTyped }: TransportParts) => {
  const { atMs, seq, isPast, playing, jump, toMark, hasMark, toggle } = scrubber;
  const { isPlaying, speed, setSpeed } = playing;
  return html`
    <div class="steps">
      <${Icon} name="Previous mark" shape="M3 3v10M13 3l-7 5 7 5z" isOff=${!hasMark(-1)}
        onClick=${() => toMark(-1)} />
      <${Icon} name="Previous event" shape="M10 3l-5 5 5 5" isOff=${false}
        onClick=${() => jump(seq - 1)} />
      <${Icon} name=${isPlaying ? "Stop playing" : "Play"} isOff=${false} onClick=${toggle}
        shape=${isPlaying ? "M5 3v10M11 3v10" : "M5 3l8 5-8 5z"} />
      <${Icon} name="Next event" shape="M6 3l5 5-5 5" isOff=${!isPast}
        onClick=${() => jump(seq + 1)} />
      <${Icon} name="Next mark" shape="M13 3v10M3 3l7 5-7 5z" isOff=${!hasMark(1)}
        onClick=${() => toMark(1)} />
    </div>
    <div class="speeds" role="group" aria-label="Speed">
      ${SPEEDS.map(
        (each) => html`<button type="button" key=${each} aria-pressed=${speed === each}
          onClick=${() => setSpeed(each)}>${each}×</button>`,
      )}
    </div>
    <output class="moment">
      <span><strong class="moment-time">${momentText(atMs)}</strong>
        <span class="moment-end"> / ${clockText(tick.at_ms)}</span></span>
      <span class="moment-seq">event ${numberText(seq)}</span>
    </output>
    <${Button} isOff=${!isPast && !isPlaying} onClick=${() => jump(null)}>Now<//>
    <${MomentField} openTyped=${openTyped} />
  `;
};

type IconParts = {
  readonly name: string;
  readonly shape: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
};

const Icon = ({ name, shape, isOff, onClick }: IconParts) => html`
  <${Button} class="icon" aria-label=${name} title=${name} isOff=${isOff} onClick=${onClick}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=${shape} /></svg>
  <//>
`;

type MomentFieldParts = {
  /** Opens a typed moment or period. Returns why not, or null. */
  readonly openTyped: (text: string) => Promise<string | null>;
};

/** A field for a moment such as `2:30`, `300s` or `event:500`, or a period such as `2:00-2:30`. */
const MomentField = ({ openTyped }: MomentFieldParts) => {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const asked = text.trim();
    if (asked === "") return;
    void openTyped(asked).then((found) => {
      setProblem(found);
      if (found === null) setText("");
    });
  };
  return html`
    <form class="moment-field" onSubmit=${submit}>
      <input type="text" aria-label="Go to a moment or period"
        placeholder="2:30, 2:00-2:30"
        autocomplete="off" spellcheck=${false} value=${text}
        aria-invalid=${problem !== null}
        aria-describedby=${problem === null ? undefined : "moment-problem"}
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
          setText(currentTarget.value);
          setProblem(null);
        }} />
      ${
        problem !== null &&
        html`<span id="moment-problem" class="moment-problem" role="alert">${problem}</span>`
      }
    </form>
  `;
};
