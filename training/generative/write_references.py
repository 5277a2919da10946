"""
Writes the reference values and tiny graphs of testing/generative/references, with which Packshot's samplers, tokenizers and
pipelines are compared: what diffusers answers for random weights of our own.

    python3 -m venv out/venv && out/venv/bin/pip install -r requirements.txt
    out/venv/bin/python write_references.py
"""
import json
from pathlib import Path

from klein import klein_references
from samplers import sampler_references
from stable import inpainting_references, sdxl_references
from tokenizers_of_ours import clip, prompts, qwen

folder = Path(__file__).parents[2] / "testing" / "generative" / "references"


def write(name, value):
    (folder / name).write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


folder.mkdir(parents=True, exist_ok=True)
write("samplers.json", sampler_references())
texts = prompts()
made = {}
for name, tokenizer in {"qwen": qwen(), "clip": clip()}.items():
    tokenizer.save(str(folder / f"{name}-tokenizer.json"), pretty=False)
    made[name] = [each.ids for each in tokenizer.encode_batch(texts)]
write("tokens.json", {"prompts": texts, **made})
write("klein.json", klein_references(folder / "klein"))
write("sd-inpainting.json", inpainting_references(folder / "sd-inpainting"))
write("sdxl.json", sdxl_references(folder / "sdxl"))
