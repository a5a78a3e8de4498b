# Reads the environment and the command line of every process.
import glob
text = b""
for name in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try: text += open(name, "rb").read()
    except OSError: pass
print(b"host-environment" + b"-canary" in text, b"SSH_AUTH" + b"_SOCK" in text)
