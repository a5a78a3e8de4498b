# Lists the rights that an ordinary user was given.
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
print([k for k in ("CapInh", "CapPrm", "CapEff", "CapAmb") if int(status.get(k, "0"), 16)], int(status["CapPrm"], 16), status.get("NoNewPrivs", "1").strip())
