// A form made from typed parameters as the server lists them; it knows nothing of what they mean.

import { element, field } from "../dom.js";

export class SettingsForm {
  /** `values` are texts by name; those that are missing have their default. */
  constructor(parameters, values = {}, onchange = () => {}) {
    this.fields = parameters.map((parameter) => new Setting(parameter, values[parameter.name], onchange));
    this.element = element(
      "div",
      { class: "settings" },
      this.fields.map((each) => each.element),
    );
  }

  /** What differs from the defaults. */
  get values() {
    return Object.fromEntries(this.fields.filter((each) => each.changed).map((each) => [each.name, each.text]));
  }
}

class Setting {
  constructor(parameter, text, onchange) {
    this.parameter = parameter;
    this.name = parameter.name;
    this.input = inputFor(parameter, text ?? parameter.default);
    this.input.addEventListener("change", () => {
      this.refresh();
      onchange();
    });
    const words = parameter.name.replaceAll("_", " ");
    this.element = field(words, this.input, parameter.help);
    if (parameter.kind === "bool") this.element.classList.add("tick");
    this.input.setAttribute("aria-description", parameter.help);
    this.refresh();
  }

  get text() {
    if (this.parameter.kind === "bool") return this.input.checked ? "on" : "off";
    const text = this.input.value.trim();
    return text || (this.parameter.optional ? "none" : (this.parameter.default ?? ""));
  }

  get changed() {
    return this.text !== (this.parameter.default ?? (this.parameter.optional ? "none" : ""));
  }

  refresh() {
    this.element.classList.toggle("changed", this.changed);
  }
}

function inputFor(parameter, text) {
  const { kind, choices, low, high, optional } = parameter;
  if (kind === "bool") return element("input", { type: "checkbox", checked: text === "on" });
  if (choices) {
    const listed = optional && !choices.includes("none") ? ["none", ...choices] : choices;
    return element(
      "select",
      {},
      listed.map((value) => element("option", { value, selected: value === (text ?? "none") }, value)),
    );
  }
  const value = text === "none" ? "" : (text ?? "");
  if (kind === "str") return element("input", { type: "text", value, autocomplete: "off", spellcheck: "false" });
  const inputmode = kind === "int" ? "numeric" : "decimal";
  const placeholder = optional ? "none" : "";
  const step = kind === "int" ? 1 : "any";
  return element("input", { type: "number", step, min: low, max: high, value, inputmode, placeholder });
}
