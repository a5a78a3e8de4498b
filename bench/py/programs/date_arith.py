from datetime import date, datetime, timedelta


def run():
    day = date(2020, 1, 1)
    step = timedelta(days=1)
    weekdays = 0
    end = date(2030, 1, 1)
    while day < end:
        if day.weekday() < 5:
            weekdays += 1
        day += step
    start = datetime(2024, 1, 1, 8, 30)
    total = timedelta()
    for i in range(3000):
        moment = start + timedelta(hours=i, minutes=15)
        total += moment - start
        if moment.hour == 8 and moment.day == 1:
            weekdays += moment.month
    spans = [(date(2024, 12, 31) - date(2024, 1, 1 + i % 28)).days for i in range(3000)]
    return weekdays, total.total_seconds(), sum(spans), str(day)


run()
