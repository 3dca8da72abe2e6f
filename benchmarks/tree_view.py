"""What it costs the web page to move a tree of 5,000 nodes: on a canvas, as the page does it, and as SVG elements.

    python benchmarks/tree_view.py [--nodes N] [--frames N]

Both show the same tree in the same window and are panned and zoomed a little in every frame. Two things are counted:
the time from frame to frame, which is 16.7 ms at best, and the processor time of all of Chromium for a frame. Chromium
runs without a graphics card here, as it does in tests. Needs Playwright, Chromium and Linux's /proc.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import random
import shutil
import threading
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from astragal.base.locks import measuring

ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run")
PAGE = '<!DOCTYPE html><link rel="stylesheet" href="/css/theme.css"><link rel="stylesheet" href="/css/tree.css">'
PREPARE = """
async (rows) => {
  const { TreeCanvas } = await import("/js/tree/canvas.js");
  const { Tree } = await import("/js/tree/model.js");
  const view = new TreeCanvas({ onlook() {}, ontoggle() {} });
  document.body.append(view.element);
  view.show(new Tree(rows));
  await new Promise(requestAnimationFrame);
  window.moveCanvas = (i) => {
    view.camera.x = 30 * Math.sin(i / 9);
    view.camera.zoom(1 + 0.02 * Math.sin(i / 7));
  };
  window.makeSvg = () => {
    const make = (tag, values) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
      return made;
    };
    let { width, height, scale } = view.camera;
    const svg = make("svg", { width, height });
    const all = make("g", {});
    const edges = view.order.filter((n) => n.above).map((n) => `M${n.above.x} ${n.above.y}L${n.x} ${n.y}`);
    all.append(make("path", { stroke: "#999", d: edges.join("") }));
    for (const { x: cx, y: cy, radius: r } of view.order) {
      all.append(make("circle", { cx, cy, r, fill: "#c8371f", stroke: "#fff" }));
    }
    svg.append(all);
    view.element.replaceWith(svg);
    window.moveSvg = (i) => {
      scale *= 1 + 0.02 * Math.sin(i / 7);
      const place = `translate(${width / 2},${height / 2}) scale(${scale}) translate(${-30 * Math.sin(i / 9)},0)`;
      all.setAttribute("transform", place);
    };
  };
}
"""
MEASURE = """
async ({move, frames}) => {
  const gaps = [];
  let before = await new Promise(requestAnimationFrame);
  for (let i = 0; i < frames; i += 1) {
    window[move](i);
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - before);
    before = now;
  }
  gaps.sort((a, b) => a - b);
  return [gaps[frames >> 1], gaps[Math.floor(0.95 * frames)]];
}
"""


def processor_time(above: int) -> float:
    """Seconds that all processes below one have computed."""
    parents, times = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(status.parent.name)] = int(fields[1])
        times[int(status.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below = {above}
    while grown := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= grown
    return sum(times.get(pid, 0.0) for pid in below - {above})


def tree_rows(nodes: int) -> list[dict[str, object]]:
    """A tree like a search's: few nodes are well visited, most are leaves of them."""
    dice = random.Random(1)
    parents = [dice.randrange(above // 3 + 1) for above in range(nodes - 1)]
    children = [0] * nodes
    for parent in parents:
        children[parent] += 1
    told = {"name": "move", "value": 0.5, "value_of": 1, "below": 0}
    return [
        told
        | {"id": i, "parent": parents[i - 1] if i else None, "children": children[i], "left_out": int(i % 5 == 0)}
        | {"kind": "chance" if i % 3 == 0 else "decision", "player": 1 + i % 2, "weight": nodes - i}
        for i in range(nodes)
    ]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The page's static files."""

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--frames", type=int, default=120)
    options = parser.parse_args()
    folder = str(files("astragal.web") / "static")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as driver:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"http://127.0.0.1:{server.server_port}/css/")
        page.set_content(PAGE)
        page.evaluate(PREPARE, tree_rows(options.nodes))
        measure(page, "canvas", "moveCanvas", options)
        page.evaluate("makeSvg()")
        measure(page, "SVG elements", "moveSvg", options)
        browser.close()
    server.shutdown()


def measure(page: Page, name: str, move: str, options: argparse.Namespace) -> None:
    page.evaluate(MEASURE, {"move": move, "frames": 10})
    before = processor_time(os.getpid())
    median, slow = page.evaluate(MEASURE, {"move": move, "frames": options.frames})
    used = 1000 * (processor_time(os.getpid()) - before) / options.frames
    print(
        f"{options.nodes:,} nodes, {name}: {median:.1f} ms from frame to frame, one in twenty over {slow:.1f} ms; "
        f"{used:.0f} ms of processor time for a frame"
    )


if __name__ == "__main__":
    with measuring(wait=True):
        main()
