"""The picture of link previews and the PNG icons, made of the page's own drawings.

python bench/preview.py                writes into src/wateringhole/web/static
python bench/preview.py --into DIR
"""

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from wateringhole.web.bundle import bundle
from wateringhole.web.static_files import static_files

STATIC = Path(__file__).parent.parent / "src" / "wateringhole" / "web" / "static"
ICON_SIZES = (192, 512)
PREVIEW_SCALE = 2 / 3
"""From the 1200 x 630 in which the picture is laid out; a chat shows it no larger."""
STYLES = ("shared/base.css", "pieces/drawings.css")
LOOK = """
* { animation: none !important; }
html, body { margin: 0; height: 100%; min-height: 0; overflow: hidden; }
body { position: relative; background: linear-gradient(var(--sky) 55%, var(--shore) 55%); }
h1 { position: absolute; left: 64px; top: 44px; margin: 0; font: 600 92px/1 var(--serif); color: var(--ink); }
p { position: absolute; left: 68px; top: 150px; margin: 0; font: 32px/1.3 var(--serif); color: var(--ink); }
.hole-scene { position: absolute; left: 470px; top: 215px; width: 710px; }
.herd { position: absolute; left: 64px; top: 236px; display: grid; grid-template-columns: 200px 200px; gap: 18px; }
.herd svg { width: 200px; height: auto; border-radius: 14px; border: 3px solid var(--edge); background: var(--sky); }
"""
DRAW = """() => {
  const { fillHole, holeScene, speciesScene } = $pieces_drawings;
  const hole = holeScene();
  fillHole(hole, 15);
  const herd = document.createElement("div");
  herd.className = "herd";
  const species = [
    [["long-neck"], 3], [["carnivore", "pack-hunting"], 5], [["horns", "herding"], 6], [["hard-shell"], 2],
  ];
  species.forEach(([traits, body], at) => {
    const scene = speciesScene({ population: 4, body, food: 2, traits, fat: null });
    scene.style.setProperty("--seat", `var(--seat-${at + 1})`);
    herd.append(scene);
  });
  const title = document.createElement("h1");
  title.textContent = "wateringhole";
  const text = document.createElement("p");
  text.textContent = "Species around one watering hole, a game for three to eight";
  document.body.replaceChildren(hole, herd, title, text);
}"""


def draw_preview(page: Page, files: dict[str, bytes], into: Path) -> None:
    page.set_viewport_size({"width": 1200, "height": 630})
    page.set_content("<!doctype html><title>preview</title>")
    for style in (*(files[path].decode() for path in STYLES), LOOK):
        page.add_style_tag(content=style)
    page.add_script_tag(content=bundle(files, "pieces/drawings.js"))
    page.evaluate(DRAW)
    page.screenshot(path=into / "preview.png")


def draw_icon(page: Page, svg: str, size: int, into: Path) -> None:
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(f"<!doctype html><title>icon</title><style>body{{margin:0}}svg{{display:block}}</style>{svg}")
    page.screenshot(path=into / f"icon-{size}.png", omit_background=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--into", type=Path, default=STATIC)
    into = options.parse_args().into
    files = {path: file.data for path, file in static_files().items()}
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        draw_preview(browser.new_page(color_scheme="light", device_scale_factor=PREVIEW_SCALE), files, into)
        page = browser.new_page()
        for size in ICON_SIZES:
            draw_icon(page, files["icon.svg"].decode(), size, into)
        browser.close()


if __name__ == "__main__":
    main()
