# Takes memory up to a number of MiB.
import sys
blocks = []
for _ in range(int(sys.argv[1]) // 4): blocks.append(bytearray(b"x" * (4 << 20)))
print(len(blocks) * 4 << 20)
