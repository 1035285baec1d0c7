import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type FieldParts = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  /** True if only assistive technology reads the label. */
  readonly isHidden?: boolean;
  readonly type?: "text" | "number";
  readonly placeholder?: string;
  /** The names that complete the text, by the id of their list. */
  readonly list?: string;
};

/** One line of text, or a number, with its label. */
export const Field = ({
  label,
  value,
  set,
  isHidden = false,
  type = "text",
  ...rest
}: FieldParts) => {
  const input = html`
    <input type=${type} min="0" autocomplete="off" spellcheck=${false}
      aria-label=${isHidden ? label : undefined} value=${value} ...${rest}
      placeholder=${rest.placeholder ?? (isHidden ? label : "")}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        set(currentTarget.value)} />
  `;
  return isHidden ? input : html`<label class="labelled">${label}${" "}${input}</label>`;
};

type AreaParts = {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly rows: number;
  /** True if it gets the focus when it appears. */
  readonly hasFocus?: boolean;
};

export const Area = ({ label, value, set, rows, hasFocus = false }: AreaParts) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (hasFocus) area.current?.focus();
  }, []);
  return html`
    <textarea ref=${area} rows=${rows} aria-label=${label} placeholder=${label}
      spellcheck=${false} value=${value}
      onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
        set(currentTarget.value)}></textarea>
  `;
};

/** A whole number that a person has typed, or null. */
export const amountIn = (text: string): number | null =>
  /^\d+$/.test(text.trim()) ? Number(text) : null;
