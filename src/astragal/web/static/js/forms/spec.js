// The text form of a game or player with settings, `name:key=value,key=value`, there and back.

export function parseSpec(text) {
  const [name, rest = ""] = splitOnce(text, ":");
  const values = {};
  for (const part of rest ? rest.split(",") : []) {
    const [key, value = ""] = splitOnce(part, "=");
    values[key.trim()] = value.trim();
  }
  return { name, values };
}

export function writeSpec(name, values) {
  const parts = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
