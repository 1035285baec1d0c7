import { type ComponentChildren, options, type VNode } from "preact";
import { printable } from "../../../text/index.ts";

/** The attributes whose text users can see or hear. */
const SHOWN_ATTRIBUTES = ["aria-label", "aria-valuetext", "placeholder", "title"] as const;

const printableChild = (child: ComponentChildren): ComponentChildren => {
  if (Array.isArray(child)) return child.map(printableChild);
  return typeof child === "string" ? printable(child) : child;
};

/** Makes the text of every element printable. Import this module before the first element. */
const makePrintable = ({ type, props }: VNode<{ [name: string]: unknown }>): void => {
  if (typeof type !== "string") return;
  if (props.children !== undefined) props.children = printableChild(props.children);
  for (const name of SHOWN_ATTRIBUTES) {
    const text = props[name];
    if (typeof text === "string") props[name] = printable(text);
  }
};

const before = options.vnode;
options.vnode = (vnode: VNode<{ [name: string]: unknown }>) => {
  makePrintable(vnode);
  before?.(vnode);
};
