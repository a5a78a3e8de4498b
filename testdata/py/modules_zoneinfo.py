# prelude
from datetime import datetime, timedelta, timezone, date, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
paris, ny, tokyo = ZoneInfo("Europe/Paris"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Tokyo")
d = datetime(2024, 7, 1, 12, 30, tzinfo=paris)
print(d, d.isoformat(), d.utcoffset(), d.dst(), d.tzname(), repr(d), d.timestamp())
print(d.astimezone(ny), d.astimezone(tokyo), d.astimezone(timezone.utc), d.astimezone(ZoneInfo("UTC")))
w = datetime(2024, 1, 1, 12, 30, tzinfo=paris)
print(w, w.utcoffset(), w.dst(), w.tzname(), w.strftime("%Y-%m-%d %H:%M:%S %z %Z"), f"{w:%H:%M %Z}")
print(d - w, d > w, w + timedelta(days=200), (w + timedelta(days=200)).utcoffset())
print(datetime(2024, 3, 9, 12, tzinfo=ny) + timedelta(days=1))
print(paris, repr(paris), str(ny), paris.key, ZoneInfo("Europe/Paris") is paris, ZoneInfo.no_cache("Europe/Paris") is paris)
for zone in ["Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Etc/GMT+5", "US/Pacific", "EST", "Asia/Kathmandu", "Europe/London", "Antarctica/Troll", "America/St_Johns"]:
    z = ZoneInfo(zone)
    for m in (1, 7):
        x = datetime(2023, m, 15, 6, tzinfo=z)
        print(zone, m, x.isoformat(), x.tzname(), x.astimezone(timezone.utc).isoformat())
# ---
ny = ZoneInfo("America/New_York")
# put back: 1:30 comes twice; put forward: 2:30 never comes
for fold in (0, 1):
    b = datetime(2024, 11, 3, 1, 30, tzinfo=ny, fold=fold)
    g = datetime(2024, 3, 10, 2, 30, tzinfo=ny, fold=fold)
    print(fold, b, b.utcoffset(), b.tzname(), b.dst(), b.timestamp(), g, g.utcoffset(), g.tzname(), g.dst(), g.timestamp())
    print(g.astimezone(timezone.utc), g.astimezone(timezone.utc).astimezone(ny), b.astimezone(timezone.utc))
u = datetime(2024, 11, 3, 4, 0, tzinfo=timezone.utc)
for i in range(10):
    x = (u + timedelta(minutes=30 * i)).astimezone(ny)
    print(x, x.fold, x.tzname())
for h in range(4, 9):
    x = datetime(2024, 3, 10, h, tzinfo=timezone.utc).astimezone(ny)
    print(x, x.fold)
lh = ZoneInfo("Australia/Lord_Howe")
for minute in range(0, 60, 15):
    for fold in (0, 1):
        x = datetime(2024, 4, 7, 1, minute, tzinfo=lh, fold=fold)
        print(x, x.dst(), x.tzname())
for y in (1950, 1985, 2006, 2007, 2030, 2037, 2038, 2050, 2400, 9998):
    x = datetime(y, 7, 4, 12, tzinfo=ny)
    print(x, x.dst())
# ---
t(lambda: ZoneInfo("Mars/Olympus"))
t(lambda: ZoneInfo(5))
try:
    ZoneInfo("Nowhere")
except KeyError as e:
    print(type(e).__name__, e.args, isinstance(e, ZoneInfoNotFoundError))
names = available_timezones()
print(type(names), "Europe/Berlin" in names, "UTC" in names, "Nope" in names, len(names) > 400)
z = ZoneInfo("Europe/Berlin")
print(z.utcoffset(None), z.tzname(None), z.dst(None), z == ZoneInfo("Europe/Berlin"), z == ZoneInfo("Europe/Paris"), len({z, ZoneInfo("Europe/Berlin")}))
t(lambda: z.fromutc(datetime(2024, 1, 1)))
t(lambda: z.fromutc(date(2024, 1, 1)))
print(time(12, tzinfo=z), time(12, tzinfo=z).utcoffset(), datetime.combine(date(2024, 6, 1), time(9), tzinfo=z))
print(datetime.fromtimestamp(1_700_000_000, z), datetime.fromtimestamp(1_720_000_000, tz=ZoneInfo("America/Los_Angeles")))
meetings = [("a", datetime(2024, 5, 1, 9, tzinfo=ZoneInfo("America/Chicago"))), ("b", datetime(2024, 5, 1, 15, tzinfo=z)), ("c", datetime(2024, 5, 1, 23, 30, tzinfo=ZoneInfo("Asia/Tokyo")))]
print([n for n, _ in sorted(meetings, key=lambda p: p[1])], [m.astimezone(timezone.utc).strftime("%H:%M") for _, m in meetings])
