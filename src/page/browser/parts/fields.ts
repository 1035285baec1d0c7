import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

type FieldParts = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  /** True if only assistive technology reads the label. */
  readonly isHidden?: boolean;
  readonly type?: "text" | "number" | "search";
  readonly class?: string;
  readonly placeholder?: string;
  /** The names that complete the text. */
  readonly names?: Iterable<string>;
};

/** One line of text, or a number, with its label. */
export const Field = (parts: FieldParts) => {
  const { label, value, set, isHidden = false, type = "text", names, ...rest } = parts;
  const list = names === undefined ? undefined : `names of ${label}`.replaceAll(" ", "-");
  const input = html`
    <input type=${type} min="0" autocomplete="off" spellcheck=${false} list=${list}
      aria-label=${isHidden ? label : undefined} value=${value} ...${rest}
      placeholder=${rest.placeholder ?? (isHidden ? label : "")}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        set(currentTarget.value)} />
    ${
      names !== undefined &&
      html`<datalist id=${list}>
        ${[...names].map((name) => html`<option key=${name} value=${name} />`)}
      </datalist>`
    }
  `;
  return isHidden ? input : html`<label class="labelled">${label}${" "}${input}</label>`;
};

/** What finds rows: a field whose label is also its placeholder, unless it has another one. */
export const Search = (parts: Omit<FieldParts, "type" | "isHidden">) =>
  html`<${Field} type="search" isHidden=${true} ...${parts} />`;

type ChoiceParts = Pick<FieldParts, "label" | "value" | "set" | "isHidden"> & {
  /** The values, or values with their texts. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly isOff?: boolean;
};

/** One of several values. */
export const Choice = ({ label, value, set, isHidden = false, options, isOff }: ChoiceParts) => {
  const select = html`
    <select value=${value} disabled=${isOff} aria-label=${isHidden ? label : undefined}
      onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
        set(currentTarget.value)}>
      ${options.map((option) => {
        const [own, text] = typeof option === "string" ? [option, option] : option;
        return html`<option key=${own} value=${own}>${text}</option>`;
      })}
    </select>
  `;
  return isHidden ? select : html`<label class="labelled">${label}${" "}${select}</label>`;
};

type AreaParts = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly rows: number;
  /** True if it gets the focus when it appears. */
  readonly hasFocus?: boolean;
  readonly isOff?: boolean;
};

export const Area = ({ label, value, set, rows, hasFocus = false, isOff }: AreaParts) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (hasFocus) area.current?.focus();
  }, []);
  return html`
    <textarea ref=${area} rows=${rows} aria-label=${label} placeholder=${label}
      spellcheck=${false} value=${value} disabled=${isOff}
      onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
        set(currentTarget.value)}></textarea>
  `;
};

/** A whole number that a person has typed, or null. */
export const amountIn = (text: string): number | null =>
  /^\d+$/.test(text.trim()) ? Number(text) : null;

/** The texts of some fields, and what a field needs of its own. */
export const useTyped = <Typed extends { readonly [name: string]: string }>(none: Typed) => {
  const [typed, setTyped] = useState(none);
  const field = (name: keyof Typed & string) => {
    return { value: typed[name], set: (value: string) => setTyped({ ...typed, [name]: value }) };
  };
  return { typed, field, clear: (): void => setTyped(none) };
};
