"""rembg as a service reduced to its work, for bench/mask/measure-speed.ts; never part of the product.

    python bench/mask/rembg_server.py U2NETP_ONNX HOME

One session, reused. Each line on stdin names a photo and where to put its cut-out; each answer on stdout is the
milliseconds from the photo's bytes in memory to PNG bytes in memory.
"""

import os
import pathlib
import shutil
import sys
import time

weights, home = (pathlib.Path(p) for p in sys.argv[1:3])
home.mkdir(parents=True, exist_ok=True)
shutil.copyfile(weights, home / "u2netp.onnx")
os.environ["U2NET_HOME"] = str(home)
os.environ["MODEL_CHECKSUM_DISABLED"] = "1"  # the same weights from another export have another checksum

from rembg import new_session, remove  # noqa: E402

session = new_session("u2netp", providers=["CPUExecutionProvider"])
print("ready", flush=True)
for line in sys.stdin:
    photo, out = line.rstrip("\n").split("\t")
    data = pathlib.Path(photo).read_bytes()
    started = time.perf_counter()
    cut = remove(data, session=session)
    print((time.perf_counter() - started) * 1000, flush=True)
    pathlib.Path(out).write_bytes(cut)
