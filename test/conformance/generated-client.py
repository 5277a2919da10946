"""Drives a running stack by a client that openapi-python-client has generated as the package `packshot_api`.

python generated-client.py BASE_URL API_KEY PHOTO HOOK_URL. Prints what it got as one line of JSON.
"""

import io
import json
import sys

import httpx
from packshot_api import AuthenticatedClient
from packshot_api.api.account import get_account
from packshot_api.api.edits import create_edit
from packshot_api.api.jobs import delete_job, get_job, list_jobs
from packshot_api.api.tools import list_tools
from packshot_api.api.uploads import create_upload
from packshot_api.api.webhooks import create_webhook, list_deliveries, test_webhook
from packshot_api.models import (
    EditForm,
    EditFormMetadata,
    EditFormOutputFormat,
    EditRequest,
    Error,
    KnownErrorCode,
    MaskParameters,
    NewUpload,
    NewWebhook,
    ToolId,
    WebhookEventKind,
)
from packshot_api.types import File

base_url, api_key, photo_path, hook_url = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=api_key, raise_on_unexpected_status=True, timeout=90)


def ended(job_id):
    """Waits by long polls."""
    while True:
        job = get_job.sync(job_id, client=client, prefer="wait=30")
        if job.status.value in ("completed", "failed", "cancelled"):
            return job


with open(photo_path, "rb") as file:
    photo = file.read()

hook = create_webhook.sync(client=client, body=NewWebhook(url=hook_url, events=[WebhookEventKind.JOB_COMPLETED]))
test_webhook.sync(hook.id, client=client)

# A form with typed fields, and metadata as the JSON that the generator makes of an object.
form = EditForm(
    image=File(payload=io.BytesIO(photo), file_name="mug.jpg", mime_type="image/jpeg"),
    seed=7,
    output_width=160,
    output_format=EditFormOutputFormat.WEBP,
    metadata=EditFormMetadata.from_dict({"sku": "MUG-1"}),
)
created = create_edit.sync(ToolId.MASK, client=client, body=form, idempotency_key="python-1")
job = ended(created.id)
result = httpx.get(job.result_url)

# An upload session and JSON.
declared = NewUpload(content_type="image/jpeg", filename="mug.jpg", size_bytes=len(photo))
session = create_upload.sync(client=client, body=declared)
httpx.put(session.upload_url, content=photo, headers=session.headers.to_dict()).raise_for_status()
by_reference = EditRequest(upload_session_id=str(session.upload_session_id), parameters=MaskParameters(seed=7))
second = ended(create_edit.sync(ToolId.MASK, client=client, body=by_reference).id)

# Errors are values of the document's type.
refused = create_edit.sync(ToolId.MASK, client=client, body=EditRequest())
assert isinstance(refused, Error) and refused.code is KnownErrorCode.INVALID_REQUEST, refused

page = list_jobs.sync(client=client, limit=1)
following = list_jobs.sync(client=client, limit=1, cursor=page.next_cursor)
deliveries = list_deliveries.sync(hook.id, client=client)
delete_job.sync_detailed(second.id, client=client)
gone = get_job.sync(second.id, client=client)

print(
    json.dumps(
        {
            "tools": [tool.id.value for tool in list_tools.sync(client=client).data],
            "credits": get_account.sync(client=client).credits_.remaining,
            "job": [job.status.value, job.parameters.seed, job.metadata.to_dict(), job.report.quality.value],
            "coverage": job.report.coverage,
            "result": [result.status_code, result.headers["content-type"], len(result.content)],
            "listed": [str(entry.id) for entry in page.data + following.data],
            "jobs": [str(second.id), str(job.id)],
            "refused": refused.message,
            "gone": gone.code.value,
            "deliveries": type(deliveries).__name__,
            "secret": hook.secret[:6],
        }
    )
)
