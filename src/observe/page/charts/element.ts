type Attribute = string | number | boolean | ((event: Event) => void);
type Attributes = { readonly [name: string]: Attribute };
type Child = Node | string | null;

/**
 * Makes an element. Texts become text nodes, whatever stands in them; a function listens to the
 * event of its name; false leaves an attribute out.
 */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag);
  furnish(made, attributes, children);
  return made;
};

/** The same for a drawing. */
export const shape = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  furnish(made, attributes, children);
  return made;
};

const furnish = (made: Element, attributes: Attributes, children: readonly Child[]): void => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
};
