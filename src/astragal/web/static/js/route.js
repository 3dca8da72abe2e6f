// What the address after the # says: a view and its options. Every link restores what it was taken from.

export function parseRoute(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/").map(decodeURIComponent);
  return { view: view || "play", rest, options: new URLSearchParams(query) };
}

export function routeTo(view, options = {}) {
  const pairs = Object.entries(options).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, each]),
  );
  const kept = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Write the address of what is shown now, without leaving the view. */
export function rememberRoute(view, options) {
  history.replaceState(null, "", routeTo(view, options));
}

export function wholeLink(view, options) {
  return `${location.origin}${location.pathname}${routeTo(view, options)}`;
}
