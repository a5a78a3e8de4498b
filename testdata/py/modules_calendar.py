# prelude
import calendar
def t(f, *a):
    try:
        print(repr(f(*a)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
print(calendar.monthrange(2024, 2), calendar.monthrange(2023, 2), calendar.isleap(2000), calendar.isleap(1900), calendar.leapdays(2000, 2025), calendar.weekday(2024, 5, 6), calendar.weekday(0, 1, 1), calendar.weekday(12345, 1, 1))
print(calendar.monthcalendar(2024, 2), list(calendar.day_name), list(calendar.day_abbr), list(calendar.month_name), list(calendar.month_abbr), calendar.month_name[3], calendar.day_name[-1], len(calendar.month_name), calendar.month_name[1:3])
print(calendar.MONDAY, calendar.SUNDAY, calendar.January, calendar.mdays, calendar.firstweekday())
t(calendar.monthrange, 2024, 13)
t(calendar.monthrange, 2024, 0)
t(calendar.monthcalendar, 2024, 13)
t(calendar.setfirstweekday, 7)
t(lambda: calendar.month_name[13])
print(issubclass(calendar.IllegalMonthError, ValueError))
print(calendar.month(2024, 2))
print(calendar.month(2024, 9, 4, 2))
print(calendar.calendar(2023))
print(calendar.calendar(2024, 1, 1, 3, 4))
calendar.prmonth(1999, 12)
print(calendar.weekheader(3), calendar.weekheader(10), calendar.week([(1, 0), (0, 1)], 4))
calendar.setfirstweekday(calendar.SUNDAY)
print(calendar.monthcalendar(2024, 2), calendar.weekheader(2), calendar.firstweekday())
print(calendar.month(2024, 2))
calendar.setfirstweekday(calendar.MONDAY)
print(calendar.timegm((2024, 5, 6, 7, 8, 9)), calendar.timegm((1970, 1, 1, 0, 0, 0, 0, 1, 0)))
# ---
c = calendar.Calendar(firstweekday=6)
print(list(c.iterweekdays()), list(c.itermonthdays(2024, 2)), list(c.itermonthdays2(2024, 2))[:8], list(c.itermonthdays3(2024, 1))[:3], list(c.itermonthdays4(2024, 12))[-3:], [str(d) for d in c.itermonthdates(2024, 2)][:5])
print(c.monthdatescalendar(2024, 2)[0][0], c.monthdays2calendar(2024, 2)[0], len(c.yeardayscalendar(2024)), len(c.yeardatescalendar(2024, 4)[0]), c.yeardays2calendar(2024)[0][0][0], c.getfirstweekday(), c.firstweekday)
c.setfirstweekday(2)
print(c.firstweekday, list(c.iterweekdays()))
class Short(calendar.TextCalendar):
    def formatmonthname(self, theyear, themonth, width, withyear=True):
        return f"{themonth}/{theyear}".center(width)
    def formatday(self, day, weekday, width):
        return "." * width if day == 0 else super().formatday(day, weekday, width)
print(Short(calendar.SUNDAY).formatmonth(2024, 2))
print(calendar.TextCalendar(6).formatyear(2025, m=2)[:300])
def third_friday(year, month):
    fridays = [w[calendar.FRIDAY] for w in calendar.monthcalendar(year, month) if w[calendar.FRIDAY]]
    return fridays[2]
print([third_friday(2024, m) for m in range(1, 13)])
