import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Alert, Panel, Text } from "../../parts/parts.ts";
import { sendSeatCommand } from "../api.ts";
import type { SeatPlace } from "./play.ts";

type Page = { readonly page: string; readonly text: string; readonly pages: readonly string[] };

const FIRST = "handbook_toc";

/** The rules of the world, which are free to read. */
export const Handbook = ({ place }: { readonly place: SeatPlace }) => {
  const [asked, ask] = useState(FIRST);
  const [shown, setShown] = useState<Page | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const over = new AbortController();
    const show = async (): Promise<void> => {
      const answer = await sendSeatCommand<Page>(place, { kind: "page", page: asked }, over.signal);
      if (over.signal.aborted) return;
      if (answer.value !== null) setShown(answer.value);
      setProblem(answer.problem);
    };
    void show();
    return () => over.abort();
  }, [asked, place.run, place.agent]);
  return html`
    <${Panel} title="Handbook">
      <label class="labelled">Page${" "}
        <select value=${asked}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            ask(currentTarget.value)}>
          ${(shown?.pages ?? [FIRST]).map((id) => html`<option key=${id}>${id}</option>`)}
        </select>
      </label>
      <${Alert} problem=${problem} />
      ${shown !== null && html`<${Text} label=${shown.page} text=${shown.text} />`}
    <//>
  `;
};
