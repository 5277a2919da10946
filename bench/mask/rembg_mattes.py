"""Writes rembg's mattes of the test photos, for bench/mask/score-mask.ts to compare with; never part of the product.

    python -m venv .cache/rembg && .cache/rembg/bin/pip install rembg==2.0.86 onnxruntime
    .cache/rembg/bin/python bench/mask/rembg_mattes.py PHOTOS U2NETP_ONNX OUT

OUT gets NAME.png (alpha, u8) for each photo, and timings.json: {name: milliseconds from bytes to PNG bytes}.
"""

import io
import json
import os
import pathlib
import shutil
import sys
import time

photos, weights, out = (pathlib.Path(p) for p in sys.argv[1:4])
out.mkdir(parents=True, exist_ok=True)
home = out / "home"
home.mkdir(exist_ok=True)
shutil.copyfile(weights, home / "u2netp.onnx")
os.environ["U2NET_HOME"] = str(home)
os.environ["MODEL_CHECKSUM_DISABLED"] = "1"  # the same weights from another export have another checksum

from PIL import Image  # noqa: E402
from rembg import new_session, remove  # noqa: E402

session = new_session("u2netp", providers=["CPUExecutionProvider"])
timings = {}
for file in sorted([*photos.glob("*.jpg"), *photos.glob("*.webp")]):
    started = time.perf_counter()
    cut = remove(file.read_bytes(), session=session)
    timings[file.stem] = round((time.perf_counter() - started) * 1000)
    Image.open(io.BytesIO(cut)).getchannel("A").save(out / f"{file.stem}.png")
(out / "timings.json").write_text(json.dumps(timings, indent=1))
