// What the address after the # says: a view and its options. Every link restores what it was taken from.

function parseRoute(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path.split("/")[0] || "welcome", options: new URLSearchParams(query) };
}

export function routeTo(view, options = {}) {
  const pairs = Object.entries(options).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, each]),
  );
  const kept = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

let known = null; // the address that what is shown belongs to

/** The view that is to be shown now. */
export function currentRoute() {
  known = location.hash;
  return parseRoute(known);
}

/** Write the address of what is shown now, without leaving the view; unless somebody is about to leave it. */
export function rememberRoute(view, options) {
  if (location.hash !== known) return;
  history.replaceState(null, "", routeTo(view, options));
  known = location.hash;
}

export function wholeLink(view, options) {
  return `${location.origin}${location.pathname}${routeTo(view, options)}`;
}
