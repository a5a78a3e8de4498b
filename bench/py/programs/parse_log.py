def run():
    levels = ["INFO", "WARN", "ERROR", "DEBUG"]
    lines = [
        "2024-01-%02d 10:%02d:%02d %s service=%s latency=%dms" % (i % 28 + 1, i % 60, i * 7 % 60, levels[i % 4], "api" + str(i % 5), i * 37 % 900)
        for i in range(8000)
    ]
    errors = {}
    slow = 0
    for line in lines:
        date, clock, level, *fields = line.split()
        values = dict(f.split("=", 1) for f in fields)
        latency = int(values["latency"].removesuffix("ms"))
        if latency > 500:
            slow += 1
        if level == "ERROR":
            errors[values["service"]] = errors.get(values["service"], 0) + 1
    return slow, sorted(errors.items())


run()
