import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { SeatLook } from "../../../dashboard/index.ts";
import { Alert, breakable, Fold, Panel } from "../../parts/parts.ts";
import { countText, numberText, readTypedJson } from "../../parts/text.ts";
import { Area, amountIn, Field } from "./fields.ts";
import type { Play, SeatParts } from "./play.ts";

type Owned = SeatLook["artifacts"][number];

/** What the seat owns, with its prices, and forms that publish an artifact or call a method. */
export const Inventory = ({ look: { artifacts, genesis, market }, play }: SeatParts) => html`
  <${Panel} title="Your artifacts">
    ${artifacts.length === 0 && html`<p class="note">You own no artifacts yet.</p>`}
    <ul class="messages">
      ${artifacts.map((each) => html`<${Artifact} key=${each.id} of=${each} play=${play} />`)}
    </ul>
    <${Fold} title="Publish a program or a text"><${Publish} play=${play} /><//>
    <${Fold} title="Call any method"><${Call} play=${play} /><//>
    <datalist id="callable">
      ${[...genesis, ...[artifacts, market].flat().map(({ id }) => id)].map(
        (id) => html`<option key=${id} value=${id} />`,
      )}
    </datalist>
  <//>
`;

type PlayParts = { readonly play: Play };

const Artifact = ({ of, play }: PlayParts & { readonly of: Owned }) => {
  const { id, executable: isProgram, price, read_price: readPrice, revenue } = of;
  const [text, setText] = useState("");
  const amount = amountIn(text);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (play.isOff || amount === null) return;
    if (await play.move({ kind: "sell", id, price: amount })) setText("");
  };
  return html`
    <li>
      <span class="message-head">
        <strong><bdi>${breakable(id)}</bdi></strong>
        <span>${numberText(isProgram ? price : readPrice)} scrip</span>
        <span class="note">
          ${isProgram ? "a call" : "a read"} · ${countText(of.calls_by_others, "call")} by others ·
          ${" "}${numberText(revenue)} scrip earned
        </span>
      </span>
      <form class="text-form" onSubmit=${submit}>
        <${Field} label=${`Price of ${id}`} isHidden=${true} type="number" placeholder="price"
          value=${text} set=${setText} />
        <button type="submit" aria-label=${`Set the price of ${id}`}
          aria-disabled=${play.isOff || amount === null}>Set the price</button>
      </form>
    </li>
  `;
};

/** A form that publishes an artifact. It keeps its text if the world refuses the artifact. */
const Publish = ({ play }: PlayParts) => {
  const [kind, setKind] = useState<"program" | "text">("program");
  const [id, setId] = useState("");
  const [text, setText] = useState("");
  const [price, setPrice] = useState("0");
  const [declared, setDeclared] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const amount = amountIn(price);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (play.isOff || amount === null || id === "") return;
    const read = declaredIn(declared);
    setProblem(read.problem);
    if (read.problem !== null) return;
    const fields =
      kind === "text"
        ? { artifact_id: id, content: text, read_price: amount }
        : { artifact_id: id, artifact_type: kind, code: text, price: amount, ...read.fields };
    if (await play.move({ kind: "write", fields })) setText("");
  };
  return html`
    <form class="text-form is-tall" onSubmit=${submit}>
      <label class="labelled">Kind${" "}
        <select value=${kind}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            setKind(currentTarget.value === "text" ? "text" : "program")}>
          <option value="program">program</option>
          <option value="text">text</option>
        </select>
      </label>
      <${Field} label="Id" value=${id} set=${setId} />
      <${Field} label="Price" type="number" value=${price} set=${setPrice} />
      <${Area} rows=${8} value=${text} set=${setText}
        label=${kind === "program" ? "Code: its functions are its methods" : "Text"} />
      ${
        kind === "program" &&
        html`<${Area} rows=${3} value=${declared} set=${setDeclared}
          label="Interface as JSON, with a description and methods (optional)" />`
      }
      <button type="submit"
        aria-disabled=${play.isOff || amount === null || id === ""}>Publish</button>
    </form>
    <${Alert} problem=${problem} />
  `;
};

const declaredIn = (text: string): { readonly fields: object; readonly problem: string | null } => {
  if (text.trim() === "") return { fields: {}, problem: null };
  const read = readTypedJson(text);
  if ("ok" in read) return { fields: { interface: read.value }, problem: null };
  return { fields: {}, problem: `the interface: ${read.problem}` };
};

const Call = ({ play }: PlayParts) => {
  const [id, setId] = useState("");
  const [method, setMethod] = useState("");
  const [args, setArgs] = useState("");
  const [attached, setAttached] = useState("");
  const scrip = attached === "" ? 0 : amountIn(attached);
  const isOff = play.isOff || id === "" || method === "" || scrip === null;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isOff) return;
    const attach = scrip === 0 ? {} : { attach: scrip };
    void play.move({ kind: "invoke", id, method, args, ...attach });
  };
  return html`
    <form class="text-form" onSubmit=${submit}>
      <${Field} label="Artifact" list="callable" value=${id} set=${setId} />
      <${Field} label="Method" value=${method} set=${setMethod} />
      <${Field} label="Arguments" placeholder=${'"bob", 5'} value=${args} set=${setArgs} />
      <${Field} label="Attached scrip" type="number" value=${attached} set=${setAttached} />
      <button type="submit" aria-disabled=${isOff}>Call</button>
    </form>
  `;
};
