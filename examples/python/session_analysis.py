"""A data analyst's session: files in, code that keeps its state, a plot out."""

import random
import tempfile
from pathlib import Path

import glovebox

image = glovebox.Image.from_debian_base(name="analysis").with_pip_packages("pandas", "matplotlib")


def measurements() -> str:
    """Returns a table in CSV."""
    chance = random.Random(7)
    rows = [f"{day},{20 + day / 10 + chance.gauss(0, 1):.2f}" for day in range(60)]
    return "\n".join(["day,celsius", *rows, ""])


def main(directory: Path) -> None:
    with glovebox.Session(image=image) as s:
        s.files.write("data.csv", measurements())
        print("lines:", s.exec("wc -l < data.csv").check().stdout.strip())

        s.run("import pandas as pd\ndf = pd.read_csv('data.csv', index_col='day')").check()
        table = s.run("df.describe().round(1)").check()
        print("days:", s.run("len(df)").text)
        print("columns:", list(table.results[0].table))

        # An analyst makes mistakes, and the session stays.
        mistake = s.run("df['kelvin']")
        print("error:", mistake.error.name if mistake.error else None)

        s.run("df['kelvin'] = df['celsius'] + 273.15").check()
        plot = s.run("df.plot(subplots=True)[0].figure").check()
        plot.save(directory / "plot.png")
        print("a picture:", (directory / "plot.png").read_bytes().startswith(b"\x89PNG"))

        s.files.mkdir("out")
        s.run("df.to_csv('out/kelvin.csv')").check()
        s.files.download("out", directory / "out")
        print("files:", [path.name for path in (directory / "out").iterdir()])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(Path(directory))
