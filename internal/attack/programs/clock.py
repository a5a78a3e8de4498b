# Sets the clock, and how the machine restarts: to what they are already, or nearly, so that
# nothing is lost where it may.
import struct, time
try: time.clock_settime(time.CLOCK_REALTIME, time.time()); print("set the clock")
except OSError: pass
now = struct.pack("ll", int(time.time()), 0)
denied("settimeofday", 164, 170, ctypes.create_string_buffer(now, 16), 0)
ADJ_MAXERROR = struct.pack("I", 4)
denied("adjtimex", 159, 171, ctypes.create_string_buffer(ADJ_MAXERROR, 256)) if not arm else None
KEYS_RESTART = 0x89abcdef # Ctrl-Alt-Del restarts the machine, as it does by default
denied("reboot", 169, 142, 0xfee1dead, 672274793, KEYS_RESTART, 0)
