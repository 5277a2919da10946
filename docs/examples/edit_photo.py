"""Edits one photo with nothing but Python's standard library.

    PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… python3 edit_photo.py mug.jpg mug.png

It sends the photo, waits for the job and downloads the result. Run it again after an interruption: its Idempotency-Key follows
from the photo, so that it finds the same job as long as that is kept (an hour), and pays once.
"""

import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE_URL = os.environ.get("PACKSHOT_URL", "http://127.0.0.1:8080")
KEY = os.environ["PACKSHOT_KEY"]
# What may succeed when it is sent again. 502 and 504 are those of proxies.
RETRYABLE = (408, 429, 500, 502, 503, 504)
TRIES_MAX = 5
EDITS_MAX = 3
JOB_SECONDS_MAX = 300


def call(method, path, body=None, headers=None):
    """Calls the API, and returns the status and the JSON. Sends again what was lost, and what was refused for a passing reason."""
    headers = {"Authorization": f"Bearer {KEY}", **(headers or {})}
    for attempt in range(1, TRIES_MAX + 1):
        delay = 2**attempt
        try:
            request = urllib.request.Request(BASE_URL + path, body, headers, method=method)
            with urllib.request.urlopen(request, timeout=90) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in RETRYABLE or attempt == TRIES_MAX:
                return error.code, problem_of(error)
            delay = float(error.headers.get("Retry-After") or delay)
        # Whether the request arrived is not known. Its Idempotency-Key makes it safe to send it again.
        except (OSError, http.client.HTTPException, ValueError) as error:
            if attempt == TRIES_MAX:
                sys.exit(f"{BASE_URL} does not answer: {error}")
        time.sleep(delay)


def problem_of(error):
    """The code is for programs, the message for people. A proxy's error has neither."""
    try:
        return json.load(error)
    except ValueError:
        return {"code": f"status_{error.code}", "message": error.reason}


def form_of(photo, fields):
    """A multipart form: fields of text, and the photo as its last part."""
    boundary = hashlib.sha256(photo).hexdigest()
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
    image = f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="photo"\r\n\r\n'
    body = "".join(parts).encode() + image.encode() + photo + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def edit(body, content_type, key):
    """The job of this key when it has ended; None: it has expired."""
    # The response waits for the end of the job, or for a minute.
    wait = {"Prefer": "wait=60"}
    headers = {"Content-Type": content_type, "Idempotency-Key": key, **wait}
    status, job = call("POST", "/v1/tools/mask/edit", body, headers)
    deadline = time.monotonic() + JOB_SECONDS_MAX
    while status < 400 and job["status"] in ("queued", "processing"):
        if time.monotonic() > deadline:
            sys.exit(f"{job['id']} has not ended after {JOB_SECONDS_MAX} seconds")
        status, job = call("GET", f"/v1/jobs/{job['id']}", headers=wait)
    if status < 400:
        return job
    if job["code"] == "job_expired":
        return None
    sys.exit(f"{job['code']}: {job['message']}")


def main(photo_path, result_path):
    with open(photo_path, "rb") as file:
        photo = file.read()
    body, content_type = form_of(photo, {"metadata.photo": os.path.basename(photo_path), "output.format": "png"})
    # A key has the same job for a day, also one that has failed or expired: another edit needs another key.
    for number in range(1, EDITS_MAX + 1):
        job = edit(body, content_type, f"mask-{hashlib.sha256(photo).hexdigest()}-{number}")
        error = (job or {}).get("error")
        if job is not None and not (error and error["retryable"]):
            break
    if job is None or job["status"] != "completed":
        sys.exit(f"{error['code']}: {error['message']}" if error else f"the job is {job['status'] if job else 'expired'}")

    with urllib.request.urlopen(job["resultUrl"], timeout=300) as response, open(result_path, "wb") as file:
        file.write(response.read())
    print(job["id"], job["report"]["quality"], result_path)


if __name__ == "__main__":
    main(*sys.argv[1:3])
