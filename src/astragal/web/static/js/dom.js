// Elements in one line each.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in made) made.value = value;
    else if (name === "checked" || name === "selected" || name === "open" || name === "disabled") made[name] = true;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An HTML element; an attribute `onclick` is a listener, one that is false or missing is left out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Put these children in the place of all others. */
export function refill(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return parent;
}

export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, words); // a word, or several parts
}

/** A label with its field. */
export function field(words, input, help = "") {
  input.id ||= freshId("field");
  return element("div", { class: "field", title: help }, element("label", { for: input.id }, words), input);
}

/** A choice among [value, words] pairs. */
export function choice(pairs, chosen, onchange, attributes = {}) {
  const options = pairs.map(([value, words]) => element("option", { value, selected: value === chosen }, words));
  return element("select", { ...attributes, onchange: (event) => onchange?.(event.target.value) }, options);
}

let numbers = 0;

/** An id that no other element has. */
export function freshId(word) {
  numbers += 1;
  return `${word}-${numbers}`;
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
