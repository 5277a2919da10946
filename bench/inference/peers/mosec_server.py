"""u2netp behind mosec: one worker, dynamic batching; raw u8 320×320×3 in, raw u8 320×320 out."""

import os

import numpy
import onnxruntime
from mosec import Server, Worker

MEAN = numpy.array([0.485, 0.456, 0.406], dtype=numpy.float32)
STD = numpy.array([0.229, 0.224, 0.225], dtype=numpy.float32)


class Segment(Worker):
    def __init__(self):
        super().__init__()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ["THREADS"])
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(os.environ["MODEL"], options, providers=["CPUExecutionProvider"])

    def deserialize(self, data):
        return numpy.frombuffer(data, dtype=numpy.uint8).reshape(320, 320, 3)

    def serialize(self, data):
        return data.tobytes()

    def forward(self, data):
        images = numpy.stack(data).astype(numpy.float32)
        images /= numpy.maximum(images.max(axis=(1, 2, 3), keepdims=True), 1)
        images = ((images - MEAN) / STD).transpose(0, 3, 1, 2)
        (maps,) = self.session.run(None, {"input": numpy.ascontiguousarray(images)})
        return list((maps[:, 0] * 255).clip(0, 255).round().astype(numpy.uint8))


if __name__ == "__main__":
    server = Server()
    server.append_worker(Segment, num=1, max_batch_size=8, max_wait_time=1)
    server.run()
