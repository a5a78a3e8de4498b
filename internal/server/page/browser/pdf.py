"""PDF files of one red page, which may do something when they are opened."""

import io

from PIL import Image
from playwright.sync_api import Locator, Page


def wait_for_red(page: Page, frame: Locator) -> None:
    """Waits until a frame shows such a page. What a viewer has in it is reached by its picture alone."""
    for _ in range(100):
        picture = Image.open(io.BytesIO(frame.screenshot())).convert("RGB")
        if sum(count for count, colour in picture.getcolors(1 << 24) if colour == (255, 0, 0)) > 10_000:
            return
        page.wait_for_timeout(200)
    raise AssertionError("the PDF is not shown")


def pdf(at_open: str = "") -> bytes:
    action = f"/OpenAction<<{at_open}>>" if at_open else ""
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{action}>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<>>>>",
        "<</Length 26>>stream\n1 0 0 rg 0 0 300 300 re f \nendstream",
    ]
    text, places = "%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj{one}endobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return f"{text}xref\n0 5\n0000000000 65535 f \n{table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n{len(text)}\n%%EOF".encode()
