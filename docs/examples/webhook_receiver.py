"""Receives webhooks and verifies their signatures, with nothing but Python's standard library.

    PACKSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 python3 webhook_receiver.py

Register its address with `POST /v1/webhooks`; the secret is in the response.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["PACKSHOT_WEBHOOK_SECRET"].removeprefix("whsec_"))
AGE_SECONDS_MAX = 300
BODY_BYTES_MAX = 1_000_000
# Ids of events that were handled. A receiver with several processes keeps them in a database, for some hours.
handled = set()


def is_signed(body, headers):
    """Standard Webhooks: an HMAC of id, time and body. The header has one for each secret that is valid."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # An old request may be one that somebody has recorded.
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > AGE_SECONDS_MAX:
        return False
    digest = hmac.new(SECRET, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any([hmac.compare_digest(expected, each.encode()) for each in headers.get("webhook-signature", "").split()])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        # The signature covers the bytes as they arrived, so the body is parsed after it is verified.
        body = self.rfile.read(length) if length <= BODY_BYTES_MAX else b""
        if not is_signed(body, self.headers):
            print("refused", flush=True)
            self.answer(400)
            return
        event = json.loads(body)
        # Delivery is at least once: answer 2xx to an event that was handled before, and do its work once.
        if event["eventId"] not in handled:
            handled.add(event["eventId"])
            data = event["data"]
            print(event["event"], data["id"], data.get("resultUrl") or (data.get("error") or {}).get("code", ""), flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening", json.dumps({"port": server.server_port}), flush=True)
server.serve_forever()
