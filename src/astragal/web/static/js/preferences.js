// What somebody likes, remembered by the browser: how dice roll, how fast things move, sounds, and so on.

const USUAL = { roll: "click", speed: "normal", sound: "off", confirm: "off", evaluation: "off", board: "on" };
const PAUSES = { slow: 2, normal: 1, fast: 0.35, instant: 0 };

export function preference(name) {
  try {
    return localStorage.getItem(`astragal-${name}`) ?? USUAL[name];
  } catch {
    return USUAL[name];
  }
}

export function prefer(name, value) {
  try {
    localStorage.setItem(`astragal-${name}`, value);
  } catch {
    // a browser that keeps nothing
  }
}

/** How much longer or shorter things take than usual. */
export const slowness = () => PAUSES[preference("speed")] ?? 1;
