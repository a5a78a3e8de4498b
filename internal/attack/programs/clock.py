# Sets the clock, and restarts the machine.
import time
try: time.clock_settime(time.CLOCK_REALTIME, 0); print("set the clock")
except OSError: pass
buf = ctypes.create_string_buffer(b"\1" * 256, 256)
denied("settimeofday", 164, 170, buf, 0)
denied("adjtimex", 159, 171, buf) if not arm else None
denied("reboot", 169, 142, 0xfee1dead, 672274793, 0x4321fedc, 0)
