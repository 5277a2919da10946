"""Models, light and surfaces from $PACKSHOT_SHARED/assets, and who made those that a scene uses. Nothing of them is committed."""

import json
import os
from pathlib import Path

FOLDER = Path(os.environ.get("PACKSHOT_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "assets"
LICENSE = "CC0-1.0"
HDRI_CREATOR, SURFACE_CREATOR = "Poly Haven", "ambientCG"

_models = json.loads((FOLDER / "models.json").read_text())
SURFACES = json.loads((FOLDER / "materials.json").read_text())
HDRIS = sorted(path.stem for path in (FOLDER / "hdris").glob("*.hdr"))
_used: dict[str, dict[str, str]] = {}


def _credit(name: str, creator: str) -> Path:
    _used[name] = {"creator": creator, "license": LICENSE}
    return FOLDER / name


def models_of(*categories: str) -> list[str]:
    return sorted(name for name, known in _models.items() if known["category"] in categories)


def model(name: str) -> Path:
    return _credit(f"models/{name}.gltf", _models[name]["creator"])


def hdri(name: str) -> Path:
    return _credit(f"hdris/{name}.hdr", HDRI_CREATOR)


def surface(name: str, layer: str) -> Path | None:
    file = SURFACES[name].get(layer)
    return _credit(f"materials/{file}", SURFACE_CREATOR) if file else None


def credits() -> dict[str, dict[str, str]]:
    """Every file used since the start, with its creator and license, for the training record."""
    return dict(sorted(_used.items()))


def credit_surroundings() -> dict[str, dict[str, str]]:
    """Every environment map and every surface's colors: any of them may be in any image of that kind."""
    files = [hdri(name) for name in HDRIS] + [surface(name, "map") for name in SURFACES]
    return {name: _used[name] for name in sorted(str(file.relative_to(FOLDER)) for file in files if file)}
