"""Takes the shared libraries out of wheels: unpack-cuda.py WHEELS TARGET makes TARGET/providers and TARGET/libraries."""

import pathlib
import sys
import zipfile

# onnxruntime-node has the rest of onnxruntime.
PROVIDERS = {"libonnxruntime_providers_shared.so", "libonnxruntime_providers_cuda.so"}
# Older code generators, and wrappers for programs written against other libraries.
UNUSED = (".alt.so", "libnvblas.so", "libcufftw.so")


def main() -> None:
    wheels, target = (pathlib.Path(argument) for argument in sys.argv[1:3])
    for name in ("providers", "libraries"):
        (target / name).mkdir(parents=True)
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.namelist():
                path = pathlib.PurePosixPath(entry)
                if entry.startswith("onnxruntime/capi/") and path.name in PROVIDERS:
                    (target / "providers" / path.name).write_bytes(archive.read(entry))
                elif entry.startswith("nvidia/") and ".so" in path.name and not any(part in path.name for part in UNUSED):
                    (target / "libraries" / path.name).write_bytes(archive.read(entry))
                elif path.name.lower() in ("license.txt", "license", "thirdpartynotices.txt"):
                    (target / "libraries" / f"{wheel.name.split('-')[0]}-{path.name}").write_bytes(archive.read(entry))


main()
