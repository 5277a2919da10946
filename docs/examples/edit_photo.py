"""Edits one photo with nothing but Python's standard library.

    PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… python3 edit_photo.py mug.jpg mug.png

It sends the photo, waits for the job and downloads the result. The Idempotency-Key makes it safe to run again after an
interruption: the same photo finds the same job, as long as that is kept (an hour), and is charged once.
"""

import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE_URL = os.environ.get("PACKSHOT_URL", "http://127.0.0.1:8080")
KEY = os.environ["PACKSHOT_KEY"]
ATTEMPTS_MAX = 5
JOB_SECONDS_MAX = 300


def call(method, path, body=None, headers=None):
    """Calls the API and returns its JSON. Waits and tries again while the API is busy or unavailable."""
    headers = {"Authorization": f"Bearer {KEY}", **(headers or {})}
    for attempt in range(1, ATTEMPTS_MAX + 1):
        request = urllib.request.Request(BASE_URL + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code in (429, 503) and attempt < ATTEMPTS_MAX:
                time.sleep(float(error.headers.get("Retry-After") or 2**attempt))
                continue
            problem = json.load(error)
            # The code is for programs, the message for people.
            sys.exit(f"{problem['code']}: {problem['message']}")


def form_of(photo, fields):
    """A multipart form: fields of text, and the photo as its last part."""
    boundary = hashlib.sha256(photo).hexdigest()
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
    image = f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="photo"\r\n\r\n'
    body = "".join(parts).encode() + image.encode() + photo + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def main(photo_path, result_path):
    with open(photo_path, "rb") as file:
        photo = file.read()
    body, content_type = form_of(photo, {"metadata.photo": os.path.basename(photo_path), "output.format": "png"})
    # The response waits for the end of the job, or for a minute.
    wait = {"Prefer": "wait=60"}
    key = {"Idempotency-Key": f"mask-{hashlib.sha256(photo).hexdigest()}"}
    job = call("POST", "/v1/tools/mask/edit", body, {"Content-Type": content_type, **key, **wait})
    deadline = time.monotonic() + JOB_SECONDS_MAX
    while job["status"] in ("queued", "processing"):
        if time.monotonic() > deadline:
            sys.exit(f"{job['id']} has not ended after {JOB_SECONDS_MAX} seconds")
        job = call("GET", f"/v1/jobs/{job['id']}", headers=wait)
    if job["status"] != "completed":
        sys.exit(f"{job['status']}: {(job.get('error') or {}).get('code')}")

    with urllib.request.urlopen(job["resultUrl"], timeout=300) as response, open(result_path, "wb") as file:
        file.write(response.read())
    print(job["id"], job["report"]["quality"], result_path)


if __name__ == "__main__":
    main(*sys.argv[1:3])
