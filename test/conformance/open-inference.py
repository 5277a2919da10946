"""Drives a model server with tritonclient: open-inference.py HOST:PORT MODEL_FOLDER FIELDS_JSON

Prints one line per check and a closing count; the exit code is the number of failures. Knows nothing of our code: what
it expects is what Triton answers, as its clients are written for.
"""

import json
import os
import queue
import shutil
import sys
import time

import grpc
import numpy
import tritonclient.grpc as triton
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tritonclient.grpc import model_config_pb2, service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

address, models, fields_file = sys.argv[1:4]
client = triton.InferenceServerClient(address)
channel = grpc.insecure_channel(address)
stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
SIDE = 32
passed, failed = 0, 0


def check(name, is_true, shown=""):
    global passed, failed
    passed, failed = passed + bool(is_true), failed + (not is_true)
    if not is_true:
        print(f"FAILED {name} {shown}")


def refused(name, codes, call, text=""):
    """The call must end with this status (or one of these), and its message must say what is wrong."""
    try:
        call()
        check(name, False, "it was accepted")
    except InferenceServerException as error:
        check(name, error.status().removeprefix("StatusCode.") in codes.split() and text in str(error), str(error))
    except grpc.RpcError as error:
        check(name, error.code().name in codes.split() and text in error.details(), f"{error.code()} {error.details()}")


def tensor(name, array, datatype=None):
    made = triton.InferInput(name, list(array.shape), datatype or np_to_triton_dtype(array.dtype))
    made.set_data_from_numpy(array)
    return made


def simple_inputs(rows=1):
    first = numpy.arange(16 * rows, dtype=numpy.int32).reshape(rows, 16)
    return first, numpy.ones((rows, 16), dtype=numpy.int32)


def health():
    check("server live", client.is_server_live())
    check("server ready", client.is_server_ready())
    check("model ready", client.is_model_ready("simple"))
    check("model version ready", client.is_model_ready("simple", "1"))
    check("unknown model is not ready", not client.is_model_ready("nothing"))
    check("unknown version is not ready", not client.is_model_ready("simple", "9"))
    probe = health_pb2_grpc.HealthStub(channel)
    serving = health_pb2.HealthCheckResponse.SERVING
    check("grpc.health.v1 server", probe.Check(health_pb2.HealthCheckRequest()).status == serving)
    check("grpc.health.v1 model", probe.Check(health_pb2.HealthCheckRequest(service="simple")).status == serving)
    refused("grpc.health.v1 unknown", "NOT_FOUND", lambda: probe.Check(health_pb2.HealthCheckRequest(service="nothing")))
    watch = probe.Watch(health_pb2.HealthCheckRequest())
    check("grpc.health.v1 watch", next(watch).status == serving)
    watch.cancel()


def metadata():
    server = client.get_server_metadata()
    check("server metadata", server.name == "packshot" and server.version != "" and "statistics" in server.extensions)
    model = client.get_model_metadata("simple")
    check("model metadata", model.name == "simple" and list(model.versions) == ["1"] and model.platform == "onnxruntime_onnx")
    check("model inputs", [(i.name, i.datatype, list(i.shape)) for i in model.inputs] ==
          [("INPUT0", "INT32", [-1, 16]), ("INPUT1", "INT32", [-1, 16])], model.inputs)
    metadata = client.get_model_metadata("segmenter", "1")
    check("segmenter metadata", list(metadata.inputs[0].shape) == [-1, SIDE, SIDE, 3] and metadata.inputs[0].datatype == "UINT8")
    config = client.get_model_config("segmenter").config
    check("config", config.max_batch_size == 8 and config.name == "segmenter" and config.input[0].data_type == model_config_pb2.TYPE_UINT8)
    check("config batching", list(config.dynamic_batching.preferred_batch_size) == [1, 2, 4, 8])
    check("config instances", config.instance_group[0].count == 2)
    check("config parameters", config.parameters["packshot.channels"].string_value == "rgb")
    check("json config", client.get_model_config("simple", as_json=True)["config"]["name"] == "simple")
    refused("metadata of nothing", "NOT_FOUND", lambda: client.get_model_metadata("nothing"), "nothing")
    refused("config of a missing version", "NOT_FOUND", lambda: client.get_model_config("simple", "7"))


def infer():
    first, second = simple_inputs()
    inputs = [tensor("INPUT0", first), tensor("INPUT1", second)]
    answer = client.infer("simple", inputs, request_id="42", model_version="1")
    check("sum", (answer.as_numpy("OUTPUT0") == first + second).all())
    check("difference", (answer.as_numpy("OUTPUT1") == first - second).all())
    response = answer.get_response()
    check("response names", (response.id, response.model_name, response.model_version) == ("42", "simple", "1"))
    answer = client.infer("simple", inputs[::-1], outputs=[triton.InferRequestedOutput("OUTPUT1")])
    check("one output, inputs in another order", (answer.as_numpy("OUTPUT1") == first - second).all() and answer.as_numpy("OUTPUT0") is None)
    for rows in (2, 3, 8):
        first, second = simple_inputs(rows)
        answer = client.infer("simple", [tensor("INPUT0", first), tensor("INPUT1", second)])
        check(f"batch of {rows}", answer.as_numpy("OUTPUT0").shape == (rows, 16) and (answer.as_numpy("OUTPUT0") == first + second).all())
    rng = numpy.random.default_rng(1)
    images = rng.integers(0, 256, (8, SIDE, SIDE, 3), dtype=numpy.uint8)
    whole = client.infer("segmenter", [tensor("image", images)]).as_numpy("matte")
    alone = [client.infer("segmenter", [tensor("image", images[i:i + 1])]).as_numpy("matte") for i in range(8)]
    check("an image's matte does not depend on its batch", numpy.abs(whole.astype(int) - numpy.concatenate(alone)).max() <= 1)
    results = queue.Queue()
    for i in range(24):
        client.async_infer("segmenter", [tensor("image", images[i % 8:i % 8 + 1])], request_id=str(i),
                           callback=lambda result, error: results.put((result, error)))
    for _ in range(24):
        result, error = results.get(timeout=30)
        same = error is None and numpy.abs(result.as_numpy("matte").astype(int) - alone[int(result.get_response().id) % 8]).max() <= 1
        check("async infer", same, error)
    client.infer("segmenter", [tensor("image", images[:1])], priority=1, timeout=10_000_000, parameters={"tenant": "a"})


def datatypes():
    kinds = {"BOOL": bool, "UINT8": "u1", "UINT16": "u2", "UINT32": "u4", "UINT64": "u8", "INT8": "i1", "INT16": "i2",
             "INT32": "i4", "INT64": "i8", "FP32": "f4", "FP64": "f8"}
    values = {}
    for name, kind in kinds.items():
        kind = numpy.dtype(kind)
        info = numpy.iinfo(kind) if kind.kind in "ui" else None
        values[name] = numpy.array([[info.min, 1, 2, info.max]] if info else [[0, 1, 1, 0]], dtype=kind)
    answer = client.infer("types", [tensor(f"IN_{name}", array) for name, array in values.items()])
    for name, array in values.items():
        check(f"raw {name}", (answer.as_numpy(f"OUT_{name}") == array).all(), answer.as_numpy(f"OUT_{name}"))
    request = service_pb2.ModelInferRequest(model_name="types")
    where = {"BOOL": "bool_contents", "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
             "UINT64": "uint64_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
             "INT64": "int64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents"}
    for name, array in values.items():
        made = request.inputs.add(name=f"IN_{name}", datatype=name, shape=[1, 4])
        getattr(made.contents, where[name]).extend(array.flatten().tolist())
    response = triton.InferResult(stub.ModelInfer(request))
    for name, array in values.items():
        check(f"typed {name}", (response.as_numpy(f"OUT_{name}") == array).all(), response.as_numpy(f"OUT_{name}"))
    words = numpy.array([["a", "größer"], ["", "x" * 1000]], dtype=object)
    answer = client.infer("strings", [tensor("IN_BYTES", words, "BYTES")]).as_numpy("OUT_BYTES")
    check("raw BYTES", [w.decode() for w in answer.flatten()] == words.flatten().tolist(), answer)
    request = service_pb2.ModelInferRequest(model_name="strings")
    made = request.inputs.add(name="IN_BYTES", datatype="BYTES", shape=[1, 2])
    made.contents.bytes_contents.extend([b"one", b"two"])
    answer = triton.InferResult(stub.ModelInfer(request)).as_numpy("OUT_BYTES")
    check("typed BYTES", answer.flatten().tolist() == [b"one", b"two"], answer)
    for shape in ((1, 3), (5, 2)):
        array = numpy.random.rand(*shape).astype(numpy.float32)
        check(f"dynamic shape {shape}", (client.infer("dynamic", [tensor("IN_FP32", array)]).as_numpy("OUT_FP32") == array).all())


def streams():
    results = queue.Queue()
    client.start_stream(callback=lambda result, error: results.put((result, error)))
    first, second = simple_inputs()
    # As many as may wait: four times the largest batch.
    for i in range(32):
        client.async_stream_infer("simple", [tensor("INPUT0", first + i), tensor("INPUT1", second)], request_id=str(i))
    seen = set()
    for _ in range(32):
        result, error = results.get(timeout=30)
        if error is not None:
            check("streamed answer", False, error)
            continue
        i = int(result.get_response().id)
        seen.add(i)
        check("streamed answer", (result.as_numpy("OUTPUT0") == first + i + second).all())
    check("every streamed request is answered once", len(seen) == 32)
    client.async_stream_infer("simple", [tensor("INPUT0", first)], request_id="bad")
    result, error = results.get(timeout=30)
    check("a mistake does not end the stream", error is not None and "expected 2 inputs" in str(error), error)
    client.async_stream_infer("nothing", [tensor("INPUT0", first)], request_id="bad")
    result, error = results.get(timeout=30)
    check("an unknown model does not end the stream", error is not None and "nothing" in str(error), error)
    client.async_stream_infer("simple", [tensor("INPUT0", first), tensor("INPUT1", second)], request_id="after")
    result, error = results.get(timeout=30)
    check("the stream goes on", error is None and result.get_response().id == "after")
    client.stop_stream()


def statistics():
    before = client.get_inference_statistics("simple").model_stats[0]
    first, second = simple_inputs(2)
    client.infer("simple", [tensor("INPUT0", first), tensor("INPUT1", second)])
    after = client.get_inference_statistics("simple", "1").model_stats[0]
    check("inference count by rows", after.inference_count - before.inference_count == 2)
    check("execution count by runs", after.execution_count - before.execution_count == 1)
    stats = after.inference_stats
    counts = {stats.success.count, stats.queue.count, stats.compute_input.count, stats.compute_infer.count, stats.compute_output.count}
    check("equal counts of the stages", len(counts) == 1 and stats.compute_infer.ns > 0, counts)
    check("batch statistics", any(b.batch_size == 2 and b.compute_infer.count >= 1 for b in after.batch_stats))
    check("last inference", abs(after.last_inference / 1000 - time.time()) < 60)
    check("statistics of all models", len(client.get_inference_statistics().model_stats) >= 5)
    refused("statistics of nothing", "NOT_FOUND", lambda: client.get_inference_statistics("nothing"))


def mistakes():
    first, second = simple_inputs()
    both = [tensor("INPUT0", first), tensor("INPUT1", second)]
    infer = lambda model, inputs, **more: (lambda: client.infer(model, inputs, **more))
    refused("unknown model", "NOT_FOUND", infer("nothing", both), "nothing")
    refused("unknown version", "NOT_FOUND", infer("simple", both, model_version="3"))
    refused("too few inputs", "INVALID_ARGUMENT", infer("simple", both[:1]), "expected 2 inputs")
    refused("unknown input", "INVALID_ARGUMENT", infer("simple", [both[0], tensor("OTHER", second)]), "INPUT1")
    refused("unknown output", "INVALID_ARGUMENT", infer("simple", both, outputs=[triton.InferRequestedOutput("OTHER")]), "OTHER")
    wrong = numpy.zeros((1, 15), dtype=numpy.int32)
    refused("wrong shape", "INVALID_ARGUMENT", infer("simple", [both[0], tensor("INPUT1", wrong)]), "Expected [-1,16], got [1,15]")
    refused("missing batch", "INVALID_ARGUMENT", infer("simple", [both[0], tensor("INPUT1", second[0])]), "shape")
    refused("wrong type", "INVALID_ARGUMENT", infer("simple", [both[0], tensor("INPUT1", second.astype(numpy.int64))]), "INT64")
    rows9 = simple_inputs(9)
    refused("batch too large", "INVALID_ARGUMENT", infer("simple", [tensor("INPUT0", rows9[0]), tensor("INPUT1", rows9[1])]), "<= 8")
    rows2 = simple_inputs(2)
    refused("different rows", "INVALID_ARGUMENT", infer("simple", [both[0], tensor("INPUT1", rows2[1])]), "rows")
    request = service_pb2.ModelInferRequest(model_name="strings", raw_input_contents=[b"\x09\x00\x00\x00abc"])
    request.inputs.add(name="IN_BYTES", datatype="BYTES", shape=[1, 2])
    refused("BYTES that end too early", "INVALID_ARGUMENT", lambda: stub.ModelInfer(request), "BYTES")
    request = service_pb2.ModelInferRequest(model_name="simple", raw_input_contents=[b"1234", b"1234"])
    for name in ("INPUT0", "INPUT1"):
        request.inputs.add(name=name, datatype="INT32", shape=[1, 16])
    refused("too few bytes", "INVALID_ARGUMENT", lambda: stub.ModelInfer(request), "Expected 64 bytes")
    request = service_pb2.ModelInferRequest(model_name="simple", raw_input_contents=[b"\0" * 64])
    for name in ("INPUT0", "INPUT1"):
        request.inputs.add(name=name, datatype="INT32", shape=[1, 16])
    refused("one raw tensor for two inputs", "INVALID_ARGUMENT", lambda: stub.ModelInfer(request), "raw_input_contents")
    request = service_pb2.ModelInferRequest(model_name="simple")
    for name in ("INPUT0", "INPUT1"):
        request.inputs.add(name=name, datatype="INT32", shape=[1, 2**40])
    refused("a size beyond reason", "INVALID_ARGUMENT", lambda: stub.ModelInfer(request))
    refused("shared memory", "UNIMPLEMENTED", lambda: client.get_system_shared_memory_status())
    refused("trace settings", "UNIMPLEMENTED", lambda: client.get_trace_settings())
    refused("log settings", "UNIMPLEMENTED", lambda: client.get_log_settings())
    region = triton.InferInput("INPUT0", [1, 16], "INT32")
    region.set_shared_memory("region", 64)
    refused("a tensor in shared memory", "UNIMPLEMENTED", infer("simple", [region, both[1]]), "shared memory")
    # Whoever notices first: the client's own clock, or the server, which refuses what it cannot finish in time. An answer
    # may be there before a busy client looks at its clock, but not each time.
    late = infer("simple", both, client_timeout=1e-6)
    refused("a deadline that has passed", "DEADLINE_EXCEEDED UNAVAILABLE", lambda: [late() for _ in range(50)])
    refused("a time-out that cannot be kept", "UNAVAILABLE", infer("segmenter", [tensor("image", numpy.zeros((8, SIDE, SIDE, 3), numpy.uint8))], timeout=1))


def repository():
    index = {model.name: model for model in client.get_model_repository_index().models}
    check("index", index["simple"].state == "READY" and index["simple"].version == "1", index)
    client.unload_model("simple")
    check("unloaded", not client.is_model_ready("simple"))
    index = {model.name: model for model in client.get_model_repository_index().models}
    check("index after unload", index["simple"].state == "UNAVAILABLE" and index["simple"].reason == "unloaded", index["simple"])
    first, second = simple_inputs()
    both = [tensor("INPUT0", first), tensor("INPUT1", second)]
    refused("infer on an unloaded model", "UNAVAILABLE", lambda: client.infer("simple", both), "simple")
    client.load_model("simple")
    check("loaded again", client.is_model_ready("simple") and client.infer("simple", both) is not None)
    shutil.copytree(os.path.join(models, "simple", "1"), os.path.join(models, "simple", "2"))
    client.load_model("simple")
    check("the newest version is served", list(client.get_model_metadata("simple").versions) == ["2"])
    check("and answers", client.infer("simple", both).get_response().model_version == "2")
    refused("load of nothing", "NOT_FOUND", lambda: client.load_model("nothing"))
    refused("unload of nothing", "NOT_FOUND", lambda: client.unload_model("nothing"))
    refused("load with a configuration of its own", "UNIMPLEMENTED", lambda: client.load_model("simple", config="{}"))


def descriptors():
    """Our proto is written afresh: its names and numbers must be the protocol's."""
    theirs = {}
    for module in (service_pb2, model_config_pb2):
        file = descriptor_pb2.FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(file)
        collect(theirs, "inference", file.message_type, file.enum_type)
    ours = json.load(open(fields_file))
    for message, fields in ours.items():
        for field, number in fields.items():
            check(f"{message}.{field}", theirs.get(message, {}).get(field) == number, theirs.get(message))


def collect(found, prefix, messages, enums):
    for enum in enums:
        found[f"{prefix}.{enum.name}"] = {value.name: value.number for value in enum.value}
    for message in messages:
        name = f"{prefix}.{message.name}"
        found[name] = {field.name: field.number for field in message.field}
        collect(found, name, message.nested_type, message.enum_type)


for part in (health, metadata, infer, datatypes, streams, statistics, mistakes, repository, descriptors):
    try:
        part()
    except Exception as error:  # A broken part is one failure; the others still report.
        check(part.__name__, False, repr(error))
print(f"{passed} checks passed, {failed} failed")
sys.stdout.flush()
os._exit(min(failed, 1))  # Not sys.exit: a stream left open by a failed part would hold the process.
