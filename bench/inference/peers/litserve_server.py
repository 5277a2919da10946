"""u2netp behind LitServe: one worker, dynamic batching; u8 320×320×3 as base64 in JSON in, raw u8 320×320 out.

LitServe reads JSON or forms, no raw bodies; base64 in JSON is what its examples send."""

import base64
import os

import litserve
import numpy
import onnxruntime
from fastapi import Response

MEAN = numpy.array([0.485, 0.456, 0.406], dtype=numpy.float32)
STD = numpy.array([0.229, 0.224, 0.225], dtype=numpy.float32)


class Segment(litserve.LitAPI):
    def setup(self, device):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ["THREADS"])
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(os.environ["MODEL"], options, providers=["CPUExecutionProvider"])

    def decode_request(self, request):
        return numpy.frombuffer(base64.b64decode(request["image"]), dtype=numpy.uint8).reshape(320, 320, 3)

    def batch(self, inputs):
        return numpy.stack(inputs)

    def predict(self, images):
        images = images.astype(numpy.float32)
        images /= numpy.maximum(images.max(axis=(1, 2, 3), keepdims=True), 1)
        images = ((images - MEAN) / STD).transpose(0, 3, 1, 2)
        (maps,) = self.session.run(None, {"input": numpy.ascontiguousarray(images)})
        return (maps[:, 0] * 255).clip(0, 255).round().astype(numpy.uint8)

    def unbatch(self, output):
        return list(output)

    def encode_response(self, output):
        return Response(content=output.tobytes(), media_type="application/octet-stream")


if __name__ == "__main__":
    api = Segment(max_batch_size=8, batch_timeout=0.001)
    server = litserve.LitServer(api, accelerator="cpu", workers_per_device=1, timeout=300)
    server.run(host="127.0.0.1", port=int(os.environ["PORT"]), generate_client_file=False)
