"""calendar: months and years as lists and as text."""

import datetime as _datetime
from itertools import repeat as _repeat

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January = 1
February = 2

mdays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

error = ValueError


class IllegalMonthError(ValueError):
    """The number of a month is not between 1 and 12."""

    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f'bad month number {self.month!r}; must be 1-12'


class IllegalWeekdayError(ValueError):
    """The number of a day of the week is not between 0 and 6."""

    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return f'bad weekday number {self.weekday!r}; must be 0 (Monday) to 6 (Sunday)'


class _Names:
    """Names that cannot be changed."""

    def __init__(self, names, first=''):
        self._names = ([first] if first is not None else []) + names.split()

    def __getitem__(self, i):
        return self._names[i]

    def __len__(self):
        return len(self._names)


day_name = _Names('Monday Tuesday Wednesday Thursday Friday Saturday Sunday', None)
day_abbr = _Names('Mon Tue Wed Thu Fri Sat Sun', None)
month_name = _Names('January February March April May June July August September October November December')
month_abbr = _Names('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')


def isleap(year):
    """Whether the year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    """How many of the years from y1 to before y2 have one."""
    def until(year):
        year -= 1
        return year // 4 - year // 100 + year // 400
    return until(y2) - until(y1)


def weekday(year, month, day):
    """The day of the week, from 0 for Monday."""
    if not _datetime.MINYEAR <= year <= _datetime.MAXYEAR:
        year = 2000 + year % 400
    return _datetime.date(year, month, day).weekday()


def _days(year, month):
    return mdays[month] + (month == February and isleap(year))


def monthrange(year, month):
    """The day of the week of the first day, and the number of days."""
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), _days(year, month)


def _next(year, month):
    return (year + 1, 1) if month == 12 else (year, month + 1)


def _previous(year, month):
    return (year - 1, 12) if month == 1 else (year, month - 1)


class Calendar:
    """Lists of days. A week begins with firstweekday."""

    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday

    def getfirstweekday(self):
        return self._first % 7

    def setfirstweekday(self, firstweekday):
        self._first = firstweekday

    firstweekday = property(getfirstweekday, setfirstweekday)

    def iterweekdays(self):
        """The days of a week, by number."""
        for day in range(self.firstweekday, self.firstweekday + 7):
            yield day % 7

    def itermonthdates(self, year, month):
        """The dates of the weeks that the month is in."""
        for y, m, d in self.itermonthdays3(year, month):
            yield _datetime.date(y, m, d)

    def itermonthdays(self, year, month):
        """The days of these weeks by number, 0 for those of other months."""
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        yield from _repeat(0, before)
        yield from range(1, days + 1)
        yield from _repeat(0, (self.firstweekday - first - days) % 7)

    def itermonthdays2(self, year, month):
        """The same with the day of the week."""
        for i, day in enumerate(self.itermonthdays(year, month), self.firstweekday):
            yield day, i % 7

    def itermonthdays3(self, year, month):
        """Year, month and day of the weeks that the month is in."""
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        after = (self.firstweekday - first - days) % 7
        y, m = _previous(year, month)
        end = _days(y, m) + 1
        for day in range(end - before, end):
            yield y, m, day
        for day in range(1, days + 1):
            yield year, month, day
        y, m = _next(year, month)
        for day in range(1, after + 1):
            yield y, m, day

    def itermonthdays4(self, year, month):
        """The same with the day of the week."""
        for i, (y, m, d) in enumerate(self.itermonthdays3(year, month)):
            yield y, m, d, (self.firstweekday + i) % 7

    def monthdatescalendar(self, year, month):
        return _weeks(self.itermonthdates(year, month))

    def monthdays2calendar(self, year, month):
        return _weeks(self.itermonthdays2(year, month))

    def monthdayscalendar(self, year, month):
        return _weeks(self.itermonthdays(year, month))

    def _rows(self, months, width):
        months = [months(month) for month in range(1, 13)]
        return [months[i:i + width] for i in range(0, 12, width)]

    def yeardatescalendar(self, year, width=3):
        return self._rows(lambda month: self.monthdatescalendar(year, month), width)

    def yeardays2calendar(self, year, width=3):
        return self._rows(lambda month: self.monthdays2calendar(year, month), width)

    def yeardayscalendar(self, year, width=3):
        return self._rows(lambda month: self.monthdayscalendar(year, month), width)


def _weeks(days):
    days = list(days)
    return [days[i:i + 7] for i in range(0, len(days), 7)]


class TextCalendar(Calendar):
    """Calendars as text."""

    def formatday(self, day, weekday, width):
        return (f'{day:2}' if day else '').center(width)

    def formatweek(self, theweek, width):
        return ' '.join([self.formatday(day, weekday, width) for day, weekday in theweek])

    def formatweekday(self, day, width):
        names = day_name if width >= 9 else day_abbr
        return names[day][:width].center(width)

    def formatweekheader(self, width):
        return ' '.join([self.formatweekday(day, width) for day in self.iterweekdays()])

    def formatmonthname(self, theyear, themonth, width, withyear=True):
        name = month_name[themonth]
        return (f'{name} {theyear!r}' if withyear else name).center(width)

    def prweek(self, theweek, width):
        print(self.formatweek(theweek, width), end='')

    def formatmonth(self, theyear, themonth, w=0, l=0):
        w, ends = max(2, w), '\n' * max(1, l)
        lines = [self.formatmonthname(theyear, themonth, 7 * (w + 1) - 1), self.formatweekheader(w)]
        lines += [self.formatweek(week, w) for week in self.monthdays2calendar(theyear, themonth)]
        return ''.join([line.rstrip() + ends for line in lines])

    def prmonth(self, theyear, themonth, w=0, l=0):
        print(self.formatmonth(theyear, themonth, w, l), end='')

    def formatyear(self, theyear, w=2, l=1, c=6, m=3):
        w, ends, c = max(2, w), '\n' * max(1, l), max(2, c)
        width = (w + 1) * 7 - 1
        header = self.formatweekheader(w)
        lines = [repr(theyear).center(width * m + c * (m - 1))]
        for i, row in enumerate(self.yeardays2calendar(theyear, m)):
            months = range(m * i + 1, min(m * (i + 1) + 1, 13))
            lines.append('')
            lines.append(formatstring([self.formatmonthname(theyear, k, width, False) for k in months], width, c))
            lines.append(formatstring([header for k in months], width, c))
            for j in range(max(map(len, row))):
                weeks = [self.formatweek(month[j], w) if j < len(month) else '' for month in row]
                lines.append(formatstring(weeks, width, c))
        return ''.join([line.rstrip() + ends for line in lines])

    def pryear(self, theyear, w=0, l=0, c=6, m=3):
        print(self.formatyear(theyear, w, l, c, m), end='')


def formatstring(cols, colwidth=20, spacing=6):
    """Texts in columns."""
    return (' ' * spacing).join([text.center(colwidth) for text in cols])


_colwidth = 20


def format(cols, colwidth=_colwidth, spacing=6):
    print(formatstring(cols, colwidth, spacing))


c = TextCalendar()

firstweekday = c.getfirstweekday


def setfirstweekday(firstweekday):
    """Say with which day a week begins in the functions of this module."""
    if not MONDAY <= firstweekday <= SUNDAY:
        raise IllegalWeekdayError(firstweekday)
    c.firstweekday = firstweekday


monthcalendar = c.monthdayscalendar
prweek = c.prweek
week = c.formatweek
weekheader = c.formatweekheader
prmonth = c.prmonth
month = c.formatmonth
calendar = c.formatyear
prcal = c.pryear


def timegm(tuple):
    """The seconds since 1970 of a time in UTC, the reverse of time.gmtime."""
    year, month, day, hour, minute, second = tuple[:6]
    days = _datetime.date(year, month, 1).toordinal() - _datetime.date(1970, 1, 1).toordinal() + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
