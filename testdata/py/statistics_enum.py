# prelude
import statistics
from enum import IntEnum
class Likert(IntEnum):
    POOR = 1
    FAIR = 3
    GOOD = 5
# ---
answers = [Likert.POOR, Likert.GOOD, Likert.GOOD, Likert.POOR, Likert.POOR]
print(statistics.mean(answers), round(statistics.mean(answers), 2), statistics.median(answers), statistics.mode(answers))
print(repr(statistics.mean([Likert.POOR, Likert.GOOD])), statistics.pvariance(answers), statistics.stdev(answers))
