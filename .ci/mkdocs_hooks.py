"""What the documentation site needs beyond the pages: links that leave docs/, and pictures from there.

On GitHub a page may link to any file of the repository. On the site such a link leads to GitHub, and a picture from
outside of docs/ becomes part of the site, so that a reader's browser asks no other host.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ("bench/results.svg",)

_LINK = re.compile(r"(!?\[[^\]]*\]\()((?:\.\./)+[^)#\s]*)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pictures that pages show from outside of docs/."""
    for picture in PICTURES:
        files.append(File.generated(config, picture, abs_src_path=str(ROOT / picture)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites the links of a page that leave docs/."""
    here = posixpath.dirname(page.file.src_uri)

    def rewritten(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", here, match[2]))
        if target.startswith("docs/"):
            return match[0]
        if not (ROOT / target).exists():
            raise ValueError(f"{page.file.src_uri}: {match[2]} does not exist")
        if target in PICTURES:
            return f"{match[1]}{posixpath.relpath(target, here or '.')})"
        return f"{match[1]}{config.extra['repository']}/blob/main/{target}{match[3] or ''})"

    return _LINK.sub(rewritten, markdown)
