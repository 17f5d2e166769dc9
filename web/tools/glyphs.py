#!/usr/bin/env python3
"""Writes src/lib/board/pieces/glyphs.json: outlines of the characters on the pieces.

Takes a folder with the npm packages @fontsource/yuji-syuku and @fontsource/shippori-mincho (both
under the SIL Open Font License, whose texts are in public/licences); needs fonttools and brotli:

    npm install --prefix /tmp/fonts @fontsource/yuji-syuku @fontsource/shippori-mincho
    python3 tools/glyphs.py /tmp/fonts/node_modules/@fontsource
"""
import json
import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

# Style: package, weight, characters.
STYLES = {
    "brush": ("yuji-syuku", 400, "王玉将飛車角行金銀桂馬香歩兵と龍成"),
    "mincho": ("shippori-mincho", 800, "王玉飛角金銀桂香歩と龍馬全圭杏獅象麒雛鶏KRBGSNLP"),
}


def short(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def outline(font: TTFont, character: str) -> dict:
    """A character's path and the size of the box that it fills, in percent of the font's em."""
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = 100 / font["head"].unitsPerEm
    place = Transform(scale, 0, 0, -scale, -left * scale, top * scale)
    pen = SVGPathPen(glyphs, ntos=short)
    glyph.draw(TransformPen(pen, place))
    size = [round((right - left) * scale, 1), round((top - bottom) * scale, 1)]
    return {"size": size, "path": pen.getCommands()}


def main(packages: Path) -> None:
    styles = {}
    for style, (package, weight, characters) in STYLES.items():
        files = sorted(packages.joinpath(package, "files").glob(f"*-{weight}-normal.woff2"))
        fonts = [TTFont(file) for file in files]
        styles[style] = {}
        for character in characters:
            font = next(font for font in fonts if ord(character) in font.getBestCmap())
            styles[style][character] = outline(font, character)
    target = Path(__file__).parent.parent / "src/lib/board/pieces/glyphs.json"
    target.write_text(json.dumps(styles, ensure_ascii=False, indent=1) + "\n")


main(Path(sys.argv[1]))
