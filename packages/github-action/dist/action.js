import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readFile, readdir, rename, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
// \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
// ../sdk/packshot-error.ts
/** Every failure but an abort, which rejects with the signal's reason. Branch on `code`. */
var PackshotError = class extends Error {
	name = "PackshotError";
	code;
	status;
	requestId;
	details;
	retryAfterMs;
	jobId;
	constructor(code, message, facts = {}) {
		super(message, facts.cause === void 0 ? void 0 : { cause: facts.cause });
		this.code = code;
		this.status = facts.status;
		this.requestId = facts.requestId;
		this.details = facts.details;
		this.retryAfterMs = facts.retryAfterMs;
		this.jobId = facts.jobId;
	}
};
// ../sdk/download.ts
/** A file of the API, or by its link. Links are signed: they need no key, and expire with their job. */
async function download(transport, path, options = {}) {
	const response = await transport.stream({
		method: "GET",
		path,
		...options
	});
	if (response.body === null) throw new PackshotError("invalid_response", "The link leads to nothing.");
	const contentType = response.headers.get("Content-Type") ?? "application/octet-stream";
	const length = response.headers.get("Content-Length");
	return {
		contentType,
		headers: response.headers,
		bytes: length === null ? void 0 : Number(length),
		stream: response.body,
		blob: () => response.blob()
	};
}
// ../sdk/transport.ts
/** Requests with the key, retries and timeouts. A response that is no success is thrown as a PackshotError. */
function createTransport(settings) {
	const { baseUrl, apiKey, fetch: request } = settings;
	function init(call, signal) {
		const headers = new Headers(call.headers);
		if (!isLink(call.path)) headers.set("Authorization", `Bearer ${apiKey}`);
		if (call.json !== void 0) headers.set("Content-Type", "application/json");
		if (call.idempotencyKey !== void 0) headers.set("Idempotency-Key", call.idempotencyKey);
		const body = call.json === void 0 ? call.body : JSON.stringify(call.json);
		return {
			method: call.method,
			headers,
			signal,
			...body === void 0 ? {} : { body }
		};
	}
	/** `read` belongs to the try: a response that breaks off is asked for again. */
	async function tryOnce(call, read) {
		call.signal?.throwIfAborted();
		if (isLink(call.path) && !isPlainAddress(call.path)) throw new PackshotError("invalid_response", "The service gave a link that is no address.");
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), call.timeoutMs ?? settings.timeoutMs);
		const stopTimer = () => clearTimeout(timer);
		const signal = call.signal === void 0 ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
		try {
			const response = await request(addressOf(baseUrl, call), init(call, signal));
			if (!response.ok) throw await errorOf(response);
			return await read(response, stopTimer);
		} catch (error) {
			call.signal?.throwIfAborted();
			if (error instanceof PackshotError) throw error;
			if (timeout.signal.aborted) throw new PackshotError("timed_out", `${nameOf(call)} took too long.`);
			throw new PackshotError("connection_failed", `${nameOf(call)}: ${messageOf(error)}`, { cause: error });
		} finally {
			stopTimer();
		}
	}
	async function perform(call, read) {
		for (let tries = 1;; tries += 1) try {
			return await tryOnce(call, read);
		} catch (error) {
			if (!(error instanceof PackshotError)) throw error;
			const delayMs = retryDelayMs(error, tries, isRepeatable(call), settings);
			if (delayMs === void 0) throw error;
			await pause(delayMs, call.signal);
		}
	}
	return {
		json: (call) => perform(call, readJson),
		stream: (call) => perform(call, async (response, stopTimer) => {
			stopTimer();
			return response;
		}),
		send: (call) => perform(call, async (response) => void await response.arrayBuffer())
	};
}
function isLink(path) {
	return !path.startsWith("/");
}
function isPlainAddress(link) {
	const url = URL.canParse(link) ? new URL(link) : void 0;
	return url !== void 0 && url.username === "" && url.password === "";
}
/** For errors, which are logged: the query of a link is its signature, by which whoever reads the log could fetch the file. */
function nameOf({ method, path }) {
	return `${method} ${path.replace(/[?#].*$/s, "")}`;
}
function isRepeatable({ method, idempotencyKey }) {
	return idempotencyKey !== void 0 || method !== "POST";
}
function addressOf(baseUrl, { path, query = {} }) {
	if (isLink(path)) return path;
	const given = Object.entries(query).flatMap(([name, value]) => value === void 0 || value === null ? [] : [[name, String(value)]]);
	const text = new URLSearchParams(given).toString();
	return `${baseUrl}${path}${text === "" ? "" : `?${text}`}`;
}
async function readJson(response) {
	const text = await response.text();
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new PackshotError("invalid_response", "The response is not JSON.", {
			status: response.status,
			cause
		});
	}
}
async function errorOf(response) {
	const { status, headers } = response;
	const text = await response.text();
	const facts = {
		status,
		retryAfterMs: parseRetryAfter(headers.get("Retry-After"), Date.now())
	};
	try {
		const { code, message, requestId, details } = JSON.parse(text);
		if (typeof code === "string") return new PackshotError(code, String(message), {
			...facts,
			requestId,
			details
		});
	} catch {}
	return new PackshotError("invalid_response", `Status ${status} without an error of Packshot.`, facts);
}
function messageOf(error) {
	const cause = error instanceof Error ? error.cause ?? error : error;
	return cause instanceof Error ? cause.message : String(cause);
}
/** Entries of all pages, each page read when its first entry is asked for. A page may be empty and have a next one. */
async function* paginate(read) {
	let cursor;
	do {
		const page = await read(cursor);
		yield* page.data;
		cursor = page.nextCursor;
	} while (cursor !== void 0);
}
/** Rejects with the signal's reason. */
function pause(ms, signal) {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const onAbort = () => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		}, ms);
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}
/** When a request is tried again, and after how long: decisions over plain data. */
var firstDelayMs = 500;
var delayMsMax = 8e3;
/** The request was refused before any work. */
var tooManyRequests = 429;
/** It may have been done or not. */
var transient = /* @__PURE__ */ new Set([
	408,
	500,
	502,
	503,
	504
]);
/**
* Milliseconds until the next try; undefined: the error is final. A request that is not repeatable (it has no idempotency
* key and does not name what it changes) is tried again only when the service said that it did nothing.
*/
function retryDelayMs(error, tries, isRepeatable, { retriesMax, retryAfterMsMax }, random = Math.random) {
	if (tries > retriesMax) return void 0;
	const { code, status, retryAfterMs } = error;
	if (!(isRepeatable && (code === "connection_failed" || code === "timed_out" || transient.has(status ?? 0))) && status !== tooManyRequests) return void 0;
	const jittered = Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1)) * (.5 + random() / 2);
	if (retryAfterMs === void 0) return jittered;
	return retryAfterMs > retryAfterMsMax ? void 0 : retryAfterMs + random() * firstDelayMs;
}
/** `Retry-After`: seconds, or a date. */
function parseRetryAfter(value, nowMs) {
	if (value === null || value.trim() === "") return void 0;
	const seconds = Number(value);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1e3);
	const atMs = Date.parse(value);
	return Number.isNaN(atMs) ? void 0 : Math.max(0, atMs - nowMs);
}
// ../sdk/account.ts
function createAccount(transport) {
	const keys = "/v1/account/keys";
	return {
		/** Plan, limits and credits; also the way to try a key. */
		get: (waiting = {}) => transport.json({
			method: "GET",
			path: "/v1/account",
			...waiting
		}),
		usage: (period = {}, waiting = {}) => transport.json({
			method: "GET",
			path: "/v1/account/usage",
			query: period,
			...waiting
		}),
		/** Everything the account has, a line of JSON for each record; the last line says that nothing is missing. */
		export: (waiting = {}) => download(transport, "/v1/account/export", waiting),
		/** With everything it has. `accountId` is the account's own, so that a wrong call deletes nothing. */
		delete: (accountId, waiting = {}) => transport.json({
			method: "DELETE",
			path: "/v1/account",
			query: { confirm: accountId },
			...waiting
		}),
		keys: {
			list: (waiting = {}) => paginate(() => transport.json({
				method: "GET",
				path: keys,
				...waiting
			})),
			/** The secret is shown only here. A lost response is not asked for again: it would make a second key. */
			create: (key, waiting = {}) => transport.json({
				method: "POST",
				path: keys,
				json: key,
				...waiting
			}),
			revoke: (id, { withDescendants, ...waiting } = {}) => transport.send({
				method: "DELETE",
				path: `${keys}/${encodeURIComponent(id)}`,
				query: { withDescendants },
				...waiting
			})
		}
	};
}
function createAudit(transport) {
	return { 
	/** What keys and the operator changed in 90 days, newest first. */
list: (page = {}, waiting = {}) => paginate((cursor) => transport.json({
		method: "GET",
		path: "/v1/audit",
		query: {
			...page,
			cursor
		},
		...waiting
	})) };
}
function createConnections(transport) {
	const all = "/v1/connections";
	const path = (id, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
	return {
		list: (waiting = {}) => paginate(() => transport.json({
			method: "GET",
			path: all,
			...waiting
		})),
		/** Edits then take `s3://<name>/<key>`, and put results there by their `destination`. */
		create: (connection, waiting = {}) => transport.json({
			method: "POST",
			path: all,
			json: connection,
			...waiting
		}),
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: path(id),
			...waiting
		}),
		update: (id, change, waiting = {}) => transport.json({
			method: "PATCH",
			path: path(id),
			json: change,
			...waiting
		}),
		delete: (id, waiting = {}) => transport.send({
			method: "DELETE",
			path: path(id),
			...waiting
		}),
		/** Puts, gets and deletes a small file there; resolves with what the bucket did, faults too. */
		test: (id, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/test"),
			...waiting
		})
	};
}
function createPresets(transport) {
	const all = "/v1/presets";
	const path = (name) => `${all}/${encodeURIComponent(name)}`;
	return {
		list: (waiting = {}) => paginate(() => transport.json({
			method: "GET",
			path: all,
			...waiting
		})),
		get: (name, waiting = {}) => transport.json({
			method: "GET",
			path: path(name),
			...waiting
		}),
		/** Creates it, or replaces one of the same name. */
		put: (name, preset, waiting = {}) => transport.json({
			method: "PUT",
			path: path(name),
			json: preset,
			...waiting
		}),
		delete: (name, waiting = {}) => transport.send({
			method: "DELETE",
			path: path(name),
			...waiting
		})
	};
}
// ../sdk/photo-source.ts
/** Limits a stream: what is longer belongs into a file, which a Blob reads as it is sent (`fs.openAsBlob`). */
var streamBytesMax = 268435456;
/** The service goes by the bytes; a session only needs some type of image. */
var contentTypeDefault = "image/jpeg";
/** Throws a TypeError for what is no source. */
async function readSource(source, signal) {
	if (typeof source === "string" || source instanceof URL) {
		const address = String(source);
		if (!/^(https?|s3):\/\//i.test(address)) throw new TypeError(`"${address.replace(/[?#].*$/s, "").slice(0, 80)}" is no address with http, https or s3. To send a file, pass its Blob.`);
		return {
			kind: "reference",
			fields: { imageUrl: address }
		};
	}
	if (source instanceof Blob) return fileOf(source);
	if (source instanceof ArrayBuffer || source instanceof Uint8Array) return fileOf(new Blob([source]));
	if (isIterable(source)) return fileOf(await collect(source, signal));
	if (typeof source.uploadSessionId === "string") {
		const { uploadSessionId } = source;
		return {
			kind: "reference",
			fields: { uploadSessionId }
		};
	}
	throw new TypeError("A source is a Blob, bytes, a stream, an address or an upload session.");
}
function fileOf(file) {
	const name = file.name;
	const contentType = /^image\/[\w.+-]+$/i.test(file.type) ? file.type : contentTypeDefault;
	return {
		kind: "file",
		file,
		filename: name === void 0 || name === "" ? "photo" : name,
		contentType
	};
}
function isIterable(source) {
	return Symbol.asyncIterator in source || "getReader" in source;
}
async function collect(source, signal) {
	const chunks = [];
	let bytes = 0;
	for await (const chunk of "getReader" in source ? chunksOf(source) : source) {
		signal?.throwIfAborted();
		bytes += chunk.byteLength;
		if (bytes > streamBytesMax) throw new TypeError(`The stream has more than ${streamBytesMax} bytes: pass a Blob.`);
		chunks.push(chunk);
	}
	return new Blob(chunks);
}
/** Not every browser can iterate over a stream. */
async function* chunksOf(stream) {
	const reader = stream.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}
// ../sdk/uploads.ts
function createUploads(transport) {
	const path = (id) => `/v1/uploads/${encodeURIComponent(id)}`;
	return {
		/** Opens a session and sends the bytes, for a photo that several edits use. Delete it when none needs it any more. */
		async send(file, options = {}) {
			const read = await readSource(file, options.signal);
			if (read.kind === "reference") throw new TypeError("Only a file, bytes or a stream can be uploaded.");
			return await uploadFile(transport, read, options);
		},
		/** Opens a session only: its bytes are PUT to `uploadUrl` by whoever has them. */
		create: (upload, { idempotencyKey = crypto.randomUUID(), ...waiting } = {}) => transport.json({
			method: "POST",
			path: "/v1/uploads",
			json: upload,
			idempotencyKey,
			...waiting
		}),
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: path(id),
			...waiting
		}),
		delete: (id, waiting = {}) => transport.send({
			method: "DELETE",
			path: path(id),
			...waiting
		})
	};
}
/** Files that go to storage by an upload session before the request that needs them. */
/** For a request that carries a photo. */
var uploadTimeoutMs = 9e5;
/** Opens a session and sends the bytes. */
async function uploadFile(transport, file, options) {
	const session = await openSession(transport, file, options);
	await sendBytes(transport, file, session, options);
	return session;
}
/**
* Uploads a file, makes a request with its session, and deletes the session. A program that is started again with the key
* of its first run gets that run's session, whose name the request must have to be known as the same. It may be gone: then
* the request either was made, and is answered as before, or was not, and is made with a new session.
*/
async function withUpload(transport, file, options, use) {
	let session = await openSession(transport, file, {
		...options,
		idempotencyKey: `${options.idempotencyKey}-file`
	});
	const isGone = (error) => error instanceof PackshotError && error.code === "upload_expired";
	await sendBytes(transport, file, session, options).catch((error) => {
		if (!isGone(error)) throw error;
	});
	let used;
	try {
		used = await use(session.uploadSessionId);
	} catch (error) {
		if (!isGone(error)) throw error;
		session = await uploadFile(transport, file, {
			...options,
			idempotencyKey: crypto.randomUUID()
		});
		used = await use(session.uploadSessionId);
	}
	const path = `/v1/uploads/${session.uploadSessionId}`;
	await transport.send({
		method: "DELETE",
		path
	}).catch(() => {});
	return used;
}
async function openSession(transport, { file, filename, contentType }, { signal, idempotencyKey = crypto.randomUUID() }) {
	const json = {
		contentType,
		filename,
		sizeBytes: file.size
	};
	return await transport.json({
		method: "POST",
		path: "/v1/uploads",
		json,
		signal,
		idempotencyKey
	});
}
async function sendBytes(transport, { file }, { method, uploadUrl, headers }, { signal, timeoutMs = uploadTimeoutMs }) {
	await transport.send({
		method,
		path: uploadUrl,
		headers,
		body: file,
		signal,
		timeoutMs
	});
}
// ../sdk/batches.ts
/** Batches: the photos of a catalog, from a few items to a file of a million rows. */
var contentTypes = {
	csv: "text/csv",
	ndjson: "application/x-ndjson"
};
/** A million rows are checked and counted. */
var dryRunTimeoutMs = 3e5;
function createBatches(transport) {
	const all = "/v1/batches";
	const path = (id, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
	const change = (verb) => (id, waiting = {}) => transport.json({
		method: "POST",
		path: path(id, `/${verb}`),
		...waiting
	});
	async function send(batch, more, options) {
		const { idempotencyKey = crypto.randomUUID(), ...waiting } = options;
		const { file, format, ...fields } = batch;
		const post = (json) => transport.json({
			method: "POST",
			path: all,
			json: {
				...json,
				...more
			},
			idempotencyKey,
			...waiting
		});
		if (file === void 0) return await post(fields);
		if ("uploadSessionId" in file) return await post({
			...fields,
			uploadSessionId: file.uploadSessionId
		});
		return await withUpload(transport, await rowsFile(file, format, waiting.signal), {
			signal: waiting.signal,
			idempotencyKey
		}, (uploadSessionId) => post({
			...fields,
			uploadSessionId
		}));
	}
	return {
		/** Newest first. */
		list: (page = {}, waiting = {}) => paginate((cursor) => transport.json({
			method: "GET",
			path: all,
			query: {
				...page,
				cursor
			},
			...waiting
		})),
		/** Each row becomes a job as the account has room for it; `wait` tells how far it is. */
		create: (batch, options = {}) => send(batch, {}, options),
		/** Checks and counts the rows, and makes nothing. */
		dryRun: (batch, waiting = {}) => send(batch, { dryRun: true }, {
			timeoutMs: dryRunTimeoutMs,
			...waiting
		}),
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: path(id),
			...waiting
		}),
		/** Resolves when the batch has ended, and when it is paused: nothing goes on then until it is resumed. */
		wait: (id, options = {}) => waitForBatch(transport, id, options),
		pause: change("pause"),
		resume: change("resume"),
		cancel: change("cancel"),
		/** The failed rows of a completed batch. */
		retry: change("retry"),
		/** What became of each row, in the order of the file, also while the batch runs. */
		report: (id, waiting = {}) => readRows(transport, path(id, "/report"), waiting),
		/** Doubtful rows, in the order of the file, as long as the batch keeps its results; `jobs.approve` and `jobs.reject` decide. */
		review: (id, filter = {}, waiting = {}) => paginate((cursor) => transport.json({
			method: "GET",
			path: path(id, "/review"),
			query: {
				...filter,
				cursor
			},
			...waiting
		})),
		/** The report as a file. */
		reportFile: (id, format, waiting = {}) => download(transport, path(id, "/report"), {
			query: { format },
			...waiting
		}),
		/** The results as a ZIP file; each part has those of 10,000 rows. */
		async archive(id, { part = 1, ...waiting } = {}) {
			const file = await download(transport, path(id, "/archive"), {
				query: { part },
				...waiting
			});
			const next = /[?&]part=(\d+)>; rel="next"/.exec(file.headers.get("Link") ?? "");
			return {
				...file,
				part,
				nextPart: next === null ? void 0 : Number(next[1])
			};
		}
	};
}
async function rowsFile(file, format, signal) {
	const read = await readSource(file, signal);
	if (read.kind !== "file") throw new TypeError("The rows are a file, bytes, a stream or an upload session.");
	const known = format ?? formatOf(read.file.type, read.filename);
	if (known === void 0) throw new TypeError("Say the format of the rows: \"csv\" or \"ndjson\".");
	return {
		...read,
		contentType: contentTypes[known],
		filename: `rows.${known}`
	};
}
function formatOf(type, name) {
	if (type.startsWith(contentTypes.csv) || /\.csv$/i.test(name)) return "csv";
	return type.startsWith(contentTypes.ndjson) || /\.(ndjson|jsonl)$/i.test(name) ? "ndjson" : void 0;
}
/** How often a report that breaks off is read again from its beginning, which is the only way to go on. */
var readsMax = 4;
/** Reads a report of NDJSON, a line at a time. Rows come in the order of the batch's file, so those that were given before are passed over in the next reading. */
async function* readRows(transport, path, waiting) {
	const headers = { Accept: "application/x-ndjson" };
	let given = 0;
	for (let reads = 1;; reads += 1) {
		const { body } = await transport.stream({
			method: "GET",
			path,
			headers,
			...waiting
		});
		if (body === null) throw new PackshotError("invalid_response", "The report has no lines.");
		let read = 0;
		const lines = linesOf(body);
		for (;;) {
			let line;
			try {
				line = await lines.next();
			} catch (cause) {
				waiting.signal?.throwIfAborted();
				if (reads >= readsMax) throw new PackshotError("connection_failed", `The report broke off after ${given} rows.`, { cause });
				break;
			}
			if (line.done) return;
			read += 1;
			if (read <= given) continue;
			given = read;
			yield JSON.parse(line.value);
		}
	}
}
async function* linesOf(body) {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let rest = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
			rest = lines.pop();
			yield* lines;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}
var pollMsMin = 500;
var pollMsMax = 1e4;
/** A batch is asked for about so often until its end. */
var pollsWanted = 50;
async function waitForBatch(transport, id, options) {
	const { waitTimeoutMs, onProgress = () => {}, timeoutMs } = options;
	const deadline = waitTimeoutMs === void 0 ? void 0 : AbortSignal.timeout(waitTimeoutMs);
	const signals = [options.signal, deadline].filter((signal) => signal !== void 0);
	const signal = signals.length === 0 ? void 0 : AbortSignal.any(signals);
	const path = `/v1/batches/${encodeURIComponent(id)}`;
	let told = "";
	try {
		for (;;) {
			const batch = await transport.json({
				method: "GET",
				path,
				signal,
				timeoutMs
			});
			const state = JSON.stringify([batch.status, batch.counts]);
			if (state !== told) onProgress(batch);
			told = state;
			if (!isGoingOn(batch)) return batch;
			await pause(pollDelayMs(batch), signal);
		}
	} catch (error) {
		options.signal?.throwIfAborted();
		if (!deadline?.aborted) throw error;
		throw new PackshotError("timed_out", `The batch has not ended within ${waitTimeoutMs} ms.`);
	}
}
/** A cancelled batch goes on until its last job has ended. */
function isGoingOn({ status, finishedAt }) {
	return status === "validating" || status === "running" || status === "cancelled" && finishedAt === null;
}
function pollDelayMs({ secondsLeft }) {
	const wantedMs = (secondsLeft ?? 0) * 1e3 / pollsWanted;
	return Math.min(pollMsMax, Math.max(pollMsMin, wantedMs));
}
// ../sdk/submit-edit.ts
/** Sends an edit: a form with the file, an upload session for a large one, or JSON with a reference. */
/** A larger file goes to storage first, where a broken connection repeats the PUT and not the edit. */
var formBytesMax = 8388608;
async function submitEdit(transport, tool, source, { mask, ...options }) {
	if (mask === void 0) return await submitWith(transport, tool, source, options);
	const { idempotencyKey = crypto.randomUUID() } = options;
	return await withMask(transport, mask, {
		...options,
		idempotencyKey
	}, (maskImage) => {
		const parameters = {
			...options.parameters,
			maskImage
		};
		return submitWith(transport, tool, source, {
			...options,
			parameters,
			idempotencyKey
		});
	});
}
/** A mask that is a file goes to storage first. A program that is started again finds its first run's session. */
async function withMask(transport, mask, { idempotencyKey, signal, timeoutMs }, use) {
	const read = await readSource(mask, signal);
	if (read.kind === "reference") return await use(read.fields);
	return await withUpload(transport, {
		...read,
		contentType: read.file.type === "" ? "image/png" : read.contentType
	}, {
		signal,
		timeoutMs,
		idempotencyKey: `${idempotencyKey}-mask`
	}, (uploadSessionId) => use({ uploadSessionId }));
}
async function submitWith(transport, tool, source, options) {
	const { signal, parameters, preset, metadata, destination, idempotencyKey = crypto.randomUUID() } = options;
	const fields = {
		parameters,
		preset,
		metadata,
		destination
	};
	const read = await readSource(source, signal);
	const call = {
		method: "POST",
		path: `/v1/tools/${encodeURIComponent(tool)}/edit`,
		idempotencyKey,
		signal
	};
	if (read.kind === "reference") {
		const json = {
			...read.fields,
			...fields
		};
		return await transport.json({
			...call,
			json,
			timeoutMs: options.timeoutMs
		});
	}
	if (read.file.size <= formBytesMax) {
		const body = formOf(read, {
			...parameters,
			...preset === void 0 ? {} : { preset },
			metadata,
			destination
		});
		return await transport.json({
			...call,
			body,
			timeoutMs: options.timeoutMs ?? 9e5
		});
	}
	return await withUpload(transport, read, {
		...options,
		idempotencyKey
	}, (uploadSessionId) => {
		const json = {
			uploadSessionId,
			...fields
		};
		return transport.json({
			...call,
			json,
			timeoutMs: options.timeoutMs
		});
	});
}
function formOf({ file, filename }, fields) {
	const form = new FormData();
	for (const [name, value] of flatten(fields)) form.set(name, value);
	form.set("image", file, filename);
	return form;
}
/** `[["output.width", "800"]]` for `{output: {width: 800}}`; a list of objects is one field of JSON. */
function flatten(fields, prefix = "") {
	return Object.entries(fields).flatMap(([name, value]) => {
		if (value === void 0 || value === null) return [];
		if (Array.isArray(value)) {
			const isOfObjects = value.some((item) => typeof item === "object");
			return [[`${prefix}${name}`, isOfObjects ? JSON.stringify(value) : value.join(",")]];
		}
		if (typeof value === "object") return flatten(value, `${prefix}${name}.`);
		return [[`${prefix}${name}`, String(value)]];
	});
}
// ../../node_modules/eventsource-parser/dist/index.js
var ParseError = class extends Error {
	constructor(message, options) {
		super(message), this.name = "ParseError", this.type = options.type, this.field = options.field, this.value = options.value, this.line = options.line;
	}
};
var LF = 10;
var CR = 13;
var SPACE = 32;
function noop(_arg) {}
function createParser(config) {
	if (typeof config == "function") throw new TypeError("`config` must be an object, got a function instead. Did you mean `createParser({onEvent: fn})`?");
	const { onEvent = noop, onError = noop, onRetry = noop, onComment, maxBufferSize } = config, pendingFragments = [];
	let pendingFragmentsLength = 0, isFirstChunk = !0, id, data = "", dataLines = 0, eventType, terminated = !1;
	function feed(chunk) {
		if (terminated) throw new Error("Cannot feed parser: it was terminated after exceeding the configured max buffer size. Call `reset()` to resume parsing.");
		if (isFirstChunk && (isFirstChunk = !1, chunk.charCodeAt(0) === 239 && chunk.charCodeAt(1) === 187 && chunk.charCodeAt(2) === 191 && (chunk = chunk.slice(3))), pendingFragments.length === 0) {
			const trailing2 = processLines(chunk);
			trailing2 !== "" && (pendingFragments.push(trailing2), pendingFragmentsLength = trailing2.length), checkBufferSize();
			return;
		}
		if (chunk.indexOf(`
`) === -1 && chunk.indexOf("\r") === -1) {
			pendingFragments.push(chunk), pendingFragmentsLength += chunk.length, checkBufferSize();
			return;
		}
		pendingFragments.push(chunk);
		const input = pendingFragments.join("");
		pendingFragments.length = 0, pendingFragmentsLength = 0;
		const trailing = processLines(input);
		trailing !== "" && (pendingFragments.push(trailing), pendingFragmentsLength = trailing.length), checkBufferSize();
	}
	function checkBufferSize() {
		maxBufferSize !== void 0 && (pendingFragmentsLength + data.length <= maxBufferSize || (terminated = !0, pendingFragments.length = 0, pendingFragmentsLength = 0, id = void 0, data = "", dataLines = 0, eventType = void 0, onError(new ParseError(`Buffered data exceeded max buffer size of ${maxBufferSize} characters`, { type: "max-buffer-size-exceeded" }))));
	}
	function processLines(chunk) {
		let searchIndex = 0;
		if (chunk.indexOf("\r") === -1) {
			let lfIndex = chunk.indexOf(`
`, searchIndex);
			for (; lfIndex !== -1;) {
				if (searchIndex === lfIndex) {
					dataLines > 0 && onEvent({
						id,
						event: eventType,
						data
					}), id = void 0, data = "", dataLines = 0, eventType = void 0, searchIndex = lfIndex + 1, lfIndex = chunk.indexOf(`
`, searchIndex);
					continue;
				}
				const firstCharCode = chunk.charCodeAt(searchIndex);
				if (isDataPrefix(chunk, searchIndex, firstCharCode)) {
					const valueStart = chunk.charCodeAt(searchIndex + 5) === SPACE ? searchIndex + 6 : searchIndex + 5, value = chunk.slice(valueStart, lfIndex);
					if (dataLines === 0 && chunk.charCodeAt(lfIndex + 1) === LF) {
						onEvent({
							id,
							event: eventType,
							data: value
						}), id = void 0, data = "", eventType = void 0, searchIndex = lfIndex + 2, lfIndex = chunk.indexOf(`
`, searchIndex);
						continue;
					}
					data = dataLines === 0 ? value : `${data}
${value}`, dataLines++;
				} else isEventPrefix(chunk, searchIndex, firstCharCode) ? eventType = chunk.slice(chunk.charCodeAt(searchIndex + 6) === SPACE ? searchIndex + 7 : searchIndex + 6, lfIndex) || void 0 : parseLine(chunk, searchIndex, lfIndex);
				searchIndex = lfIndex + 1, lfIndex = chunk.indexOf(`
`, searchIndex);
			}
			return chunk.slice(searchIndex);
		}
		for (; searchIndex < chunk.length;) {
			const crIndex = chunk.indexOf("\r", searchIndex), lfIndex = chunk.indexOf(`
`, searchIndex);
			let lineEnd = -1;
			if (crIndex !== -1 && lfIndex !== -1 ? lineEnd = crIndex < lfIndex ? crIndex : lfIndex : crIndex !== -1 ? crIndex === chunk.length - 1 ? lineEnd = -1 : lineEnd = crIndex : lfIndex !== -1 && (lineEnd = lfIndex), lineEnd === -1) break;
			parseLine(chunk, searchIndex, lineEnd), searchIndex = lineEnd + 1, chunk.charCodeAt(searchIndex - 1) === CR && chunk.charCodeAt(searchIndex) === LF && searchIndex++;
		}
		return chunk.slice(searchIndex);
	}
	function parseLine(chunk, start, end) {
		if (start === end) {
			dispatchEvent();
			return;
		}
		const firstCharCode = chunk.charCodeAt(start);
		if (isDataPrefix(chunk, start, firstCharCode)) {
			const valueStart = chunk.charCodeAt(start + 5) === SPACE ? start + 6 : start + 5, value2 = chunk.slice(valueStart, end);
			data = dataLines === 0 ? value2 : `${data}
${value2}`, dataLines++;
			return;
		}
		if (isEventPrefix(chunk, start, firstCharCode)) {
			eventType = chunk.slice(chunk.charCodeAt(start + 6) === SPACE ? start + 7 : start + 6, end) || void 0;
			return;
		}
		if (firstCharCode === 105 && chunk.charCodeAt(start + 1) === 100 && chunk.charCodeAt(start + 2) === 58) {
			const value2 = chunk.slice(chunk.charCodeAt(start + 3) === SPACE ? start + 4 : start + 3, end);
			value2.includes("\0") || (id = value2);
			return;
		}
		if (firstCharCode === 58) {
			if (onComment) {
				const line2 = chunk.slice(start, end);
				onComment(line2.slice(chunk.charCodeAt(start + 1) === SPACE ? 2 : 1));
			}
			return;
		}
		const line = chunk.slice(start, end), fieldSeparatorIndex = line.indexOf(":");
		if (fieldSeparatorIndex === -1) {
			processField(line, "", line);
			return;
		}
		const field = line.slice(0, fieldSeparatorIndex), offset = line.charCodeAt(fieldSeparatorIndex + 1) === SPACE ? 2 : 1;
		processField(field, line.slice(fieldSeparatorIndex + offset), line);
	}
	function processField(field, value, line) {
		switch (field) {
			case "event":
				eventType = value || void 0;
				break;
			case "data":
				data = dataLines === 0 ? value : `${data}
${value}`, dataLines++;
				break;
			case "id":
				value.includes("\0") || (id = value);
				break;
			case "retry":
				/^\d+$/.test(value) ? onRetry(parseInt(value, 10)) : onError(new ParseError(`Invalid \`retry\` value: "${value}"`, {
					type: "invalid-retry",
					value,
					line
				}));
				break;
			default: onError(new ParseError(`Unknown field "${field.length > 20 ? `${field.slice(0, 20)}\u2026` : field}"`, {
				type: "unknown-field",
				field,
				value,
				line
			}));
		}
	}
	function dispatchEvent() {
		dataLines > 0 && onEvent({
			id,
			event: eventType,
			data
		}), id = void 0, data = "", dataLines = 0, eventType = void 0;
	}
	function reset(options = {}) {
		if (options.consume && pendingFragments.length > 0) {
			const incompleteLine = pendingFragments.join("");
			parseLine(incompleteLine, 0, incompleteLine.length);
		}
		isFirstChunk = !0, id = void 0, data = "", dataLines = 0, eventType = void 0, pendingFragments.length = 0, pendingFragmentsLength = 0, terminated = !1;
	}
	return {
		feed,
		reset
	};
}
function isDataPrefix(chunk, i, firstCharCode) {
	return firstCharCode === 100 && chunk.charCodeAt(i + 1) === 97 && chunk.charCodeAt(i + 2) === 116 && chunk.charCodeAt(i + 3) === 97 && chunk.charCodeAt(i + 4) === 58;
}
function isEventPrefix(chunk, i, firstCharCode) {
	return firstCharCode === 101 && chunk.charCodeAt(i + 1) === 118 && chunk.charCodeAt(i + 2) === 101 && chunk.charCodeAt(i + 3) === 110 && chunk.charCodeAt(i + 4) === 116 && chunk.charCodeAt(i + 5) === 58;
}
// ../sdk/wait-for-job.ts
/** Waits until a job has ended: by its event stream, and by long polls where a proxy lets no stream through. */
/** The service writes a line every 15 seconds at least: a stream that is silent for longer is dead. */
var silenceMsMax = 45e3;
var pollSeconds = 25;
/** Resolves with the ended job, whether it completed, failed or was cancelled. */
async function waitForJob(transport, id, options) {
	const { waitTimeoutMs, onProgress = () => {} } = options;
	const deadline = waitTimeoutMs === void 0 ? void 0 : AbortSignal.timeout(waitTimeoutMs);
	const signals = [options.signal, deadline].filter((signal) => signal !== void 0);
	const waiting = {
		...options,
		signal: signals.length === 0 ? void 0 : AbortSignal.any(signals)
	};
	try {
		return await followStream(transport, id, waiting, onProgress) ?? await poll(transport, id, waiting, onProgress);
	} catch (error) {
		options.signal?.throwIfAborted();
		if (!deadline?.aborted) throw error;
		throw new PackshotError("timed_out", `The job has not ended within ${waitTimeoutMs} ms.`, { jobId: id });
	}
}
function isEnded({ status }) {
	return status === "completed" || status === "failed" || status === "cancelled";
}
/** undefined: the stream ended before the job, or there was none. */
async function followStream(transport, id, { signal, timeoutMs }, onProgress) {
	const headers = { Accept: "text/event-stream" };
	const path = `/v1/jobs/${encodeURIComponent(id)}/events`;
	let body;
	try {
		({body} = await transport.stream({
			method: "GET",
			path,
			headers,
			signal,
			timeoutMs
		}));
	} catch (error) {
		if (error instanceof PackshotError && error.code === "not_found") throw error;
		signal?.throwIfAborted();
		return;
	}
	if (body === null) return void 0;
	const reader = body.getReader();
	try {
		return await readEvents(reader, id, onProgress);
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof PackshotError) throw error;
		return;
	} finally {
		await reader.cancel().catch(() => {});
	}
}
async function readEvents(reader, id, onProgress) {
	let ended;
	let isDeleted = false;
	const parser = createParser({ onEvent({ event, data }) {
		const value = JSON.parse(data);
		if (event === "job") {
			onProgress({
				kind: "job",
				job: value
			});
			if (isEnded(value)) ended = value;
		}
		if (event === "position") onProgress({
			kind: "position",
			position: value.position
		});
		if (event === "progress") onProgress({
			kind: "stage",
			stage: value.stage
		});
		if (event === "deleted") isDeleted = true;
	} });
	const decoder = new TextDecoder();
	while (ended === void 0) {
		const { done, value } = await readBeforeSilence(reader);
		if (done) return void 0;
		parser.feed(decoder.decode(value, { stream: true }));
		if (isDeleted) throw new PackshotError("job_deleted", "The job was deleted while it was waited for.", { jobId: id });
	}
	return ended;
}
async function readBeforeSilence(reader) {
	const silence = setTimeout(() => void reader.cancel().catch(() => {}), silenceMsMax);
	try {
		return await reader.read();
	} finally {
		clearTimeout(silence);
	}
}
async function poll(transport, id, waiting, onProgress) {
	const path = `/v1/jobs/${encodeURIComponent(id)}`;
	const headers = { Prefer: `wait=${pollSeconds}` };
	for (let status;;) {
		const job = await transport.json({
			method: "GET",
			path,
			headers,
			...waiting
		});
		if (job.status !== status) onProgress({
			kind: "job",
			job
		});
		status = job.status;
		if (isEnded(job)) return job;
	}
}
// ../sdk/jobs.ts
function createJobs(transport) {
	const path = (id, rest = "") => `/v1/jobs/${encodeURIComponent(id)}${rest}`;
	function review(verb, id, { batch, ...waiting }) {
		return transport.json({
			method: "POST",
			path: path(id, `/${verb}`),
			json: batch && { batch },
			...waiting
		});
	}
	return {
		/** Newest first; expired and deleted ones are not among them. */
		list({ metadata = {}, ...filter } = {}, waiting = {}) {
			const wanted = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]));
			return paginate((cursor) => transport.json({
				method: "GET",
				path: "/v1/jobs",
				query: {
					...filter,
					...wanted,
					cursor
				},
				...waiting
			}));
		},
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: path(id),
			...waiting
		}),
		/** Resolves with the ended job, whatever its end; `edit` rejects when it failed. */
		wait: (id, options = {}) => waitForJob(transport, id, options),
		cancel: (id, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/cancel"),
			...waiting
		}),
		/**
		* Puts the result of a completed job into its bucket again, and resolves with the job: its `destination.status` says whether
		* the bucket took it. A result that is there already is not sent.
		*/
		deliver: (id, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/deliver"),
			...waiting
		}),
		/** A person has looked at the result. `batch`: its row, for when the job itself has expired. */
		approve: (id, options = {}) => review("approve", id, options),
		/** Removes the result. Credits come back only where the plan allows it: `review.creditsRefunded`. */
		reject: (id, options = {}) => review("reject", id, options),
		/**
		* Runs the edit again, and does not wait for it. With a `mask` of your own in the place of its matte, the first repeat of a
		* completed job is free.
		*/
		async repeat(id, { mask, refine, ...options } = {}) {
			const { idempotencyKey = crypto.randomUUID(), ...waiting } = options;
			const send = (maskImage) => transport.json({
				method: "POST",
				path: path(id, "/repeat"),
				...maskImage === void 0 ? {} : { json: { parameters: {
					maskImage,
					refine
				} } },
				idempotencyKey,
				...waiting
			});
			return mask === void 0 ? await send() : await withMask(transport, mask, {
				idempotencyKey,
				...waiting
			}, send);
		},
		/** With its files; an unfinished one is cancelled first. */
		delete: (id, waiting = {}) => transport.send({
			method: "DELETE",
			path: path(id),
			...waiting
		}),
		/**
		* Rejects with `job_cancelled` or the job's own error where it has no result, with `no_shadow` where it has no shadow, with
		* the file's own error where one of `outputs` failed, and with `not_found` where it has no result or layer of that name.
		*/
		async download(job, part = "result", waiting = {}) {
			return await download(transport, linkOf(job, part), waiting);
		}
	};
}
function linkOf(job, part) {
	const parts = {
		result: job.resultUrl,
		thumbnail: job.thumbnailUrl,
		shadow: job.shadowUrl,
		photo: job.photoUrl,
		matte: job.matteUrl
	};
	const { results = [], layers = [] } = job;
	const file = results.find(({ name }) => name === part);
	if (file?.error !== void 0) throw new PackshotError(file.error.code, file.error.message, { jobId: job.id });
	const ownPart = Object.hasOwn(parts, part) ? parts[part] : void 0;
	const link = file?.url ?? ownPart ?? layers.find(({ name }) => name === part)?.url;
	if (typeof link === "string") return link;
	if (job.status !== "completed") throw jobError(job);
	if (part !== "shadow") throw new PackshotError("not_found", `The job has no result "${part}".`, { jobId: job.id });
	throw new PackshotError("no_shadow", "The job has no shadow of its own.", { jobId: job.id });
}
/** Why a job has no result. */
function jobError({ id, status, error }) {
	if (error !== null) return new PackshotError(error.code, error.message, { jobId: id });
	if (status === "cancelled") return new PackshotError("job_cancelled", "The job was cancelled.", { jobId: id });
	return new PackshotError("job_not_finished", `The job is ${status}.`, { jobId: id });
}
// ../../node_modules/@stablelib/base64/lib/base64.js
var require_base64 = /* @__PURE__ */ __commonJSMin(((exports, module, this$2) => {
	var __extends = this$2 && this$2.__extends || (function() {
		var extendStatics = function(d, b) {
			extendStatics = Object.setPrototypeOf || { __proto__: [] } instanceof Array && function(d, b) {
				d.__proto__ = b;
			} || function(d, b) {
				for (var p in b) if (b.hasOwnProperty(p)) d[p] = b[p];
			};
			return extendStatics(d, b);
		};
		return function(d, b) {
			extendStatics(d, b);
			function __() {
				this.constructor = d;
			}
			d.prototype = b === null ? Object.create(b) : (__.prototype = b.prototype, new __());
		};
	})();
	Object.defineProperty(exports, "__esModule", { value: true });
	/**
	* Package base64 implements Base64 encoding and decoding.
	*/
	var INVALID_BYTE = 256;
	/**
	* Implements standard Base64 encoding.
	*
	* Operates in constant time.
	*/
	var Coder = function() {
		function Coder(_paddingCharacter) {
			if (_paddingCharacter === void 0) _paddingCharacter = "=";
			this._paddingCharacter = _paddingCharacter;
		}
		Coder.prototype.encodedLength = function(length) {
			if (!this._paddingCharacter) return (length * 8 + 5) / 6 | 0;
			return (length + 2) / 3 * 4 | 0;
		};
		Coder.prototype.encode = function(data) {
			var out = "";
			var i = 0;
			for (; i < data.length - 2; i += 3) {
				var c = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
				out += this._encodeByte(c >>> 18 & 63);
				out += this._encodeByte(c >>> 12 & 63);
				out += this._encodeByte(c >>> 6 & 63);
				out += this._encodeByte(c >>> 0 & 63);
			}
			var left = data.length - i;
			if (left > 0) {
				var c = data[i] << 16 | (left === 2 ? data[i + 1] << 8 : 0);
				out += this._encodeByte(c >>> 18 & 63);
				out += this._encodeByte(c >>> 12 & 63);
				if (left === 2) out += this._encodeByte(c >>> 6 & 63);
				else out += this._paddingCharacter || "";
				out += this._paddingCharacter || "";
			}
			return out;
		};
		Coder.prototype.maxDecodedLength = function(length) {
			if (!this._paddingCharacter) return (length * 6 + 7) / 8 | 0;
			return length / 4 * 3 | 0;
		};
		Coder.prototype.decodedLength = function(s) {
			return this.maxDecodedLength(s.length - this._getPaddingLength(s));
		};
		Coder.prototype.decode = function(s) {
			if (s.length === 0) return /* @__PURE__ */ new Uint8Array(0);
			var paddingLength = this._getPaddingLength(s);
			var length = s.length - paddingLength;
			var out = new Uint8Array(this.maxDecodedLength(length));
			var op = 0;
			var i = 0;
			var haveBad = 0;
			var v0 = 0, v1 = 0, v2 = 0, v3 = 0;
			for (; i < length - 4; i += 4) {
				v0 = this._decodeChar(s.charCodeAt(i + 0));
				v1 = this._decodeChar(s.charCodeAt(i + 1));
				v2 = this._decodeChar(s.charCodeAt(i + 2));
				v3 = this._decodeChar(s.charCodeAt(i + 3));
				out[op++] = v0 << 2 | v1 >>> 4;
				out[op++] = v1 << 4 | v2 >>> 2;
				out[op++] = v2 << 6 | v3;
				haveBad |= v0 & INVALID_BYTE;
				haveBad |= v1 & INVALID_BYTE;
				haveBad |= v2 & INVALID_BYTE;
				haveBad |= v3 & INVALID_BYTE;
			}
			if (i < length - 1) {
				v0 = this._decodeChar(s.charCodeAt(i));
				v1 = this._decodeChar(s.charCodeAt(i + 1));
				out[op++] = v0 << 2 | v1 >>> 4;
				haveBad |= v0 & INVALID_BYTE;
				haveBad |= v1 & INVALID_BYTE;
			}
			if (i < length - 2) {
				v2 = this._decodeChar(s.charCodeAt(i + 2));
				out[op++] = v1 << 4 | v2 >>> 2;
				haveBad |= v2 & INVALID_BYTE;
			}
			if (i < length - 3) {
				v3 = this._decodeChar(s.charCodeAt(i + 3));
				out[op++] = v2 << 6 | v3;
				haveBad |= v3 & INVALID_BYTE;
			}
			if (haveBad !== 0) throw new Error("Base64Coder: incorrect characters for decoding");
			return out;
		};
		Coder.prototype._encodeByte = function(b) {
			var result = b;
			result += 65;
			result += 25 - b >>> 8 & 6;
			result += 51 - b >>> 8 & -75;
			result += 61 - b >>> 8 & -15;
			result += 62 - b >>> 8 & 3;
			return String.fromCharCode(result);
		};
		Coder.prototype._decodeChar = function(c) {
			var result = INVALID_BYTE;
			result += (42 - c & c - 44) >>> 8 & -INVALID_BYTE + c - 43 + 62;
			result += (46 - c & c - 48) >>> 8 & -INVALID_BYTE + c - 47 + 63;
			result += (47 - c & c - 58) >>> 8 & -INVALID_BYTE + c - 48 + 52;
			result += (64 - c & c - 91) >>> 8 & -INVALID_BYTE + c - 65 + 0;
			result += (96 - c & c - 123) >>> 8 & -INVALID_BYTE + c - 97 + 26;
			return result;
		};
		Coder.prototype._getPaddingLength = function(s) {
			var paddingLength = 0;
			if (this._paddingCharacter) {
				for (var i = s.length - 1; i >= 0; i--) {
					if (s[i] !== this._paddingCharacter) break;
					paddingLength++;
				}
				if (s.length < 4 || paddingLength > 2) throw new Error("Base64Coder: incorrect padding");
			}
			return paddingLength;
		};
		return Coder;
	}();
	exports.Coder = Coder;
	var stdCoder = new Coder();
	function encode(data) {
		return stdCoder.encode(data);
	}
	exports.encode = encode;
	function decode(s) {
		return stdCoder.decode(s);
	}
	exports.decode = decode;
	/**
	* Implements URL-safe Base64 encoding.
	* (Same as Base64, but '+' is replaced with '-', and '/' with '_').
	*
	* Operates in constant time.
	*/
	var URLSafeCoder = function(_super) {
		__extends(URLSafeCoder, _super);
		function URLSafeCoder() {
			return _super !== null && _super.apply(this, arguments) || this;
		}
		URLSafeCoder.prototype._encodeByte = function(b) {
			var result = b;
			result += 65;
			result += 25 - b >>> 8 & 6;
			result += 51 - b >>> 8 & -75;
			result += 61 - b >>> 8 & -13;
			result += 62 - b >>> 8 & 49;
			return String.fromCharCode(result);
		};
		URLSafeCoder.prototype._decodeChar = function(c) {
			var result = INVALID_BYTE;
			result += (44 - c & c - 46) >>> 8 & -INVALID_BYTE + c - 45 + 62;
			result += (94 - c & c - 96) >>> 8 & -INVALID_BYTE + c - 95 + 63;
			result += (47 - c & c - 58) >>> 8 & -INVALID_BYTE + c - 48 + 52;
			result += (64 - c & c - 91) >>> 8 & -INVALID_BYTE + c - 65 + 0;
			result += (96 - c & c - 123) >>> 8 & -INVALID_BYTE + c - 97 + 26;
			return result;
		};
		return URLSafeCoder;
	}(Coder);
	exports.URLSafeCoder = URLSafeCoder;
	var urlSafeCoder = new URLSafeCoder();
	function encodeURLSafe(data) {
		return urlSafeCoder.encode(data);
	}
	exports.encodeURLSafe = encodeURLSafe;
	function decodeURLSafe(s) {
		return urlSafeCoder.decode(s);
	}
	exports.decodeURLSafe = decodeURLSafe;
	exports.encodedLength = function(length) {
		return stdCoder.encodedLength(length);
	};
	exports.maxDecodedLength = function(length) {
		return stdCoder.maxDecodedLength(length);
	};
	exports.decodedLength = function(s) {
		return stdCoder.decodedLength(s);
	};
}));
// ../../node_modules/fast-sha256/sha256.js
var require_sha256 = /* @__PURE__ */ __commonJSMin(((exports, module, this$1) => {
	(function(root, factory) {
		var exports = {};
		factory(exports);
		var sha256 = exports["default"];
		for (var k in exports) sha256[k] = exports[k];
		if (typeof module === "object" && typeof module.exports === "object") module.exports = sha256;
		else if (typeof define === "function" && define.amd) define(function() {
			return sha256;
		});
		else root.sha256 = sha256;
	})(this$1, function(exports) {
		"use strict";
		exports.__esModule = true;
		exports.digestLength = 32;
		exports.blockSize = 64;
		var K = new Uint32Array([
			1116352408,
			1899447441,
			3049323471,
			3921009573,
			961987163,
			1508970993,
			2453635748,
			2870763221,
			3624381080,
			310598401,
			607225278,
			1426881987,
			1925078388,
			2162078206,
			2614888103,
			3248222580,
			3835390401,
			4022224774,
			264347078,
			604807628,
			770255983,
			1249150122,
			1555081692,
			1996064986,
			2554220882,
			2821834349,
			2952996808,
			3210313671,
			3336571891,
			3584528711,
			113926993,
			338241895,
			666307205,
			773529912,
			1294757372,
			1396182291,
			1695183700,
			1986661051,
			2177026350,
			2456956037,
			2730485921,
			2820302411,
			3259730800,
			3345764771,
			3516065817,
			3600352804,
			4094571909,
			275423344,
			430227734,
			506948616,
			659060556,
			883997877,
			958139571,
			1322822218,
			1537002063,
			1747873779,
			1955562222,
			2024104815,
			2227730452,
			2361852424,
			2428436474,
			2756734187,
			3204031479,
			3329325298
		]);
		function hashBlocks(w, v, p, pos, len) {
			var a, b, c, d, e, f, g, h, u, i, j, t1, t2;
			while (len >= 64) {
				a = v[0];
				b = v[1];
				c = v[2];
				d = v[3];
				e = v[4];
				f = v[5];
				g = v[6];
				h = v[7];
				for (i = 0; i < 16; i++) {
					j = pos + i * 4;
					w[i] = (p[j] & 255) << 24 | (p[j + 1] & 255) << 16 | (p[j + 2] & 255) << 8 | p[j + 3] & 255;
				}
				for (i = 16; i < 64; i++) {
					u = w[i - 2];
					t1 = (u >>> 17 | u << 15) ^ (u >>> 19 | u << 13) ^ u >>> 10;
					u = w[i - 15];
					t2 = (u >>> 7 | u << 25) ^ (u >>> 18 | u << 14) ^ u >>> 3;
					w[i] = (t1 + w[i - 7] | 0) + (t2 + w[i - 16] | 0);
				}
				for (i = 0; i < 64; i++) {
					t1 = (((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) | 0) + (h + (K[i] + w[i] | 0) | 0) | 0;
					t2 = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
					h = g;
					g = f;
					f = e;
					e = d + t1 | 0;
					d = c;
					c = b;
					b = a;
					a = t1 + t2 | 0;
				}
				v[0] += a;
				v[1] += b;
				v[2] += c;
				v[3] += d;
				v[4] += e;
				v[5] += f;
				v[6] += g;
				v[7] += h;
				pos += 64;
				len -= 64;
			}
			return pos;
		}
		var Hash = function() {
			function Hash() {
				this.digestLength = exports.digestLength;
				this.blockSize = exports.blockSize;
				this.state = /* @__PURE__ */ new Int32Array(8);
				this.temp = /* @__PURE__ */ new Int32Array(64);
				this.buffer = /* @__PURE__ */ new Uint8Array(128);
				this.bufferLength = 0;
				this.bytesHashed = 0;
				this.finished = false;
				this.reset();
			}
			Hash.prototype.reset = function() {
				this.state[0] = 1779033703;
				this.state[1] = 3144134277;
				this.state[2] = 1013904242;
				this.state[3] = 2773480762;
				this.state[4] = 1359893119;
				this.state[5] = 2600822924;
				this.state[6] = 528734635;
				this.state[7] = 1541459225;
				this.bufferLength = 0;
				this.bytesHashed = 0;
				this.finished = false;
				return this;
			};
			Hash.prototype.clean = function() {
				for (var i = 0; i < this.buffer.length; i++) this.buffer[i] = 0;
				for (var i = 0; i < this.temp.length; i++) this.temp[i] = 0;
				this.reset();
			};
			Hash.prototype.update = function(data, dataLength) {
				if (dataLength === void 0) dataLength = data.length;
				if (this.finished) throw new Error("SHA256: can't update because hash was finished.");
				var dataPos = 0;
				this.bytesHashed += dataLength;
				if (this.bufferLength > 0) {
					while (this.bufferLength < 64 && dataLength > 0) {
						this.buffer[this.bufferLength++] = data[dataPos++];
						dataLength--;
					}
					if (this.bufferLength === 64) {
						hashBlocks(this.temp, this.state, this.buffer, 0, 64);
						this.bufferLength = 0;
					}
				}
				if (dataLength >= 64) {
					dataPos = hashBlocks(this.temp, this.state, data, dataPos, dataLength);
					dataLength %= 64;
				}
				while (dataLength > 0) {
					this.buffer[this.bufferLength++] = data[dataPos++];
					dataLength--;
				}
				return this;
			};
			Hash.prototype.finish = function(out) {
				if (!this.finished) {
					var bytesHashed = this.bytesHashed;
					var left = this.bufferLength;
					var bitLenHi = bytesHashed / 536870912 | 0;
					var bitLenLo = bytesHashed << 3;
					var padLength = bytesHashed % 64 < 56 ? 64 : 128;
					this.buffer[left] = 128;
					for (var i = left + 1; i < padLength - 8; i++) this.buffer[i] = 0;
					this.buffer[padLength - 8] = bitLenHi >>> 24 & 255;
					this.buffer[padLength - 7] = bitLenHi >>> 16 & 255;
					this.buffer[padLength - 6] = bitLenHi >>> 8 & 255;
					this.buffer[padLength - 5] = bitLenHi >>> 0 & 255;
					this.buffer[padLength - 4] = bitLenLo >>> 24 & 255;
					this.buffer[padLength - 3] = bitLenLo >>> 16 & 255;
					this.buffer[padLength - 2] = bitLenLo >>> 8 & 255;
					this.buffer[padLength - 1] = bitLenLo >>> 0 & 255;
					hashBlocks(this.temp, this.state, this.buffer, 0, padLength);
					this.finished = true;
				}
				for (var i = 0; i < 8; i++) {
					out[i * 4 + 0] = this.state[i] >>> 24 & 255;
					out[i * 4 + 1] = this.state[i] >>> 16 & 255;
					out[i * 4 + 2] = this.state[i] >>> 8 & 255;
					out[i * 4 + 3] = this.state[i] >>> 0 & 255;
				}
				return this;
			};
			Hash.prototype.digest = function() {
				var out = new Uint8Array(this.digestLength);
				this.finish(out);
				return out;
			};
			Hash.prototype._saveState = function(out) {
				for (var i = 0; i < this.state.length; i++) out[i] = this.state[i];
			};
			Hash.prototype._restoreState = function(from, bytesHashed) {
				for (var i = 0; i < this.state.length; i++) this.state[i] = from[i];
				this.bytesHashed = bytesHashed;
				this.finished = false;
				this.bufferLength = 0;
			};
			return Hash;
		}();
		exports.Hash = Hash;
		var HMAC = function() {
			function HMAC(key) {
				this.inner = new Hash();
				this.outer = new Hash();
				this.blockSize = this.inner.blockSize;
				this.digestLength = this.inner.digestLength;
				var pad = new Uint8Array(this.blockSize);
				if (key.length > this.blockSize) new Hash().update(key).finish(pad).clean();
				else for (var i = 0; i < key.length; i++) pad[i] = key[i];
				for (var i = 0; i < pad.length; i++) pad[i] ^= 54;
				this.inner.update(pad);
				for (var i = 0; i < pad.length; i++) pad[i] ^= 106;
				this.outer.update(pad);
				this.istate = /* @__PURE__ */ new Uint32Array(8);
				this.ostate = /* @__PURE__ */ new Uint32Array(8);
				this.inner._saveState(this.istate);
				this.outer._saveState(this.ostate);
				for (var i = 0; i < pad.length; i++) pad[i] = 0;
			}
			HMAC.prototype.reset = function() {
				this.inner._restoreState(this.istate, this.inner.blockSize);
				this.outer._restoreState(this.ostate, this.outer.blockSize);
				return this;
			};
			HMAC.prototype.clean = function() {
				for (var i = 0; i < this.istate.length; i++) this.ostate[i] = this.istate[i] = 0;
				this.inner.clean();
				this.outer.clean();
			};
			HMAC.prototype.update = function(data) {
				this.inner.update(data);
				return this;
			};
			HMAC.prototype.finish = function(out) {
				if (this.outer.finished) this.outer.finish(out);
				else {
					this.inner.finish(out);
					this.outer.update(out, this.digestLength).finish(out);
				}
				return this;
			};
			HMAC.prototype.digest = function() {
				var out = new Uint8Array(this.digestLength);
				this.finish(out);
				return out;
			};
			return HMAC;
		}();
		exports.HMAC = HMAC;
		function hash(data) {
			var h = new Hash().update(data);
			var digest = h.digest();
			h.clean();
			return digest;
		}
		exports.hash = hash;
		exports["default"] = hash;
		function hmac(key, data) {
			var h = new HMAC(key).update(data);
			var digest = h.digest();
			h.clean();
			return digest;
		}
		exports.hmac = hmac;
		function fillBuffer(buffer, hmac, info, counter) {
			var num = counter[0];
			if (num === 0) throw new Error("hkdf: cannot expand more");
			hmac.reset();
			if (num > 1) hmac.update(buffer);
			if (info) hmac.update(info);
			hmac.update(counter);
			hmac.finish(buffer);
			counter[0]++;
		}
		var hkdfSalt = new Uint8Array(exports.digestLength);
		function hkdf(key, salt, info, length) {
			if (salt === void 0) salt = hkdfSalt;
			if (length === void 0) length = 32;
			var counter = new Uint8Array([1]);
			var hmac_ = new HMAC(hmac(salt, key));
			var buffer = new Uint8Array(hmac_.digestLength);
			var bufpos = buffer.length;
			var out = new Uint8Array(length);
			for (var i = 0; i < length; i++) {
				if (bufpos === buffer.length) {
					fillBuffer(buffer, hmac_, info, counter);
					bufpos = 0;
				}
				out[i] = buffer[bufpos++];
			}
			hmac_.clean();
			buffer.fill(0);
			counter.fill(0);
			return out;
		}
		exports.hkdf = hkdf;
		function pbkdf2(password, salt, iterations, dkLen) {
			var prf = new HMAC(password);
			var len = prf.digestLength;
			var ctr = /* @__PURE__ */ new Uint8Array(4);
			var t = new Uint8Array(len);
			var u = new Uint8Array(len);
			var dk = new Uint8Array(dkLen);
			for (var i = 0; i * len < dkLen; i++) {
				var c = i + 1;
				ctr[0] = c >>> 24 & 255;
				ctr[1] = c >>> 16 & 255;
				ctr[2] = c >>> 8 & 255;
				ctr[3] = c >>> 0 & 255;
				prf.reset();
				prf.update(salt);
				prf.update(ctr);
				prf.finish(u);
				for (var j = 0; j < len; j++) t[j] = u[j];
				for (var j = 2; j <= iterations; j++) {
					prf.reset();
					prf.update(u).finish(u);
					for (var k = 0; k < len; k++) t[k] ^= u[k];
				}
				for (var j = 0; j < len && i * len + j < dkLen; j++) dk[i * len + j] = t[j];
			}
			for (var i = 0; i < len; i++) t[i] = u[i] = 0;
			for (var i = 0; i < 4; i++) ctr[i] = 0;
			prf.clean();
			return dk;
		}
		exports.pbkdf2 = pbkdf2;
	});
}));
// ../../node_modules/standardwebhooks/dist/timing_safe_equal.js
var require_timing_safe_equal = /* @__PURE__ */ __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.timingSafeEqual = timingSafeEqual;
	function assert(expr, msg = "") {
		if (!expr) throw new Error(msg);
	}
	function timingSafeEqual(a, b) {
		if (a.byteLength !== b.byteLength) return false;
		if (!(a instanceof DataView)) a = new DataView(ArrayBuffer.isView(a) ? a.buffer : a);
		if (!(b instanceof DataView)) b = new DataView(ArrayBuffer.isView(b) ? b.buffer : b);
		assert(a instanceof DataView);
		assert(b instanceof DataView);
		const length = a.byteLength;
		let out = 0;
		let i = -1;
		while (++i < length) out |= a.getUint8(i) ^ b.getUint8(i);
		return out === 0;
	}
}));
// ../../node_modules/standardwebhooks/dist/index.js
var require_dist = /* @__PURE__ */ __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.Webhook = exports.WebhookVerificationError = void 0;
	var base64 = require_base64();
	var sha256 = require_sha256();
	var timing_safe_equal_1 = require_timing_safe_equal();
	var WEBHOOK_TOLERANCE_IN_SECONDS = 300;
	var ExtendableError = class ExtendableError extends Error {
		constructor(message) {
			super(message);
			Object.setPrototypeOf(this, ExtendableError.prototype);
			this.name = "ExtendableError";
			this.stack = new Error(message).stack;
		}
	};
	var WebhookVerificationError = class WebhookVerificationError extends ExtendableError {
		constructor(message) {
			super(message);
			Object.setPrototypeOf(this, WebhookVerificationError.prototype);
			this.name = "WebhookVerificationError";
		}
	};
	exports.WebhookVerificationError = WebhookVerificationError;
	var Webhook = class Webhook {
		constructor(secret, options) {
			if ((options === null || options === void 0 ? void 0 : options.format) === "raw") {
				if (secret instanceof Uint8Array) this.key = secret;
				else this.key = Uint8Array.from(secret, (c) => c.charCodeAt(0));
			} else {
				if (typeof secret !== "string") throw new Error("Expected secret to be of type string");
				if (secret.startsWith(Webhook.prefix)) secret = secret.substring(Webhook.prefix.length);
				this.key = base64.decode(secret);
			}
			if (this.key.length === 0) throw new Error("Secret can't be empty.");
		}
		verify(payload, headers, options) {
			var _a;
			const jsonParse = (_a = options === null || options === void 0 ? void 0 : options.jsonParse) !== null && _a !== void 0 ? _a : true;
			const normalizedHeaders = {};
			for (const key of Object.keys(headers)) normalizedHeaders[key.toLowerCase()] = headers[key];
			const msgId = normalizedHeaders["webhook-id"];
			const msgSignature = normalizedHeaders["webhook-signature"];
			const msgTimestamp = normalizedHeaders["webhook-timestamp"];
			if (!msgSignature || !msgId || !msgTimestamp) throw new WebhookVerificationError("Missing required headers");
			const timestamp = this.verifyTimestamp(msgTimestamp);
			const expectedSignature = this.sign(msgId, timestamp, payload).split(",")[1];
			const passedSignatures = msgSignature.split(" ");
			const encoder = new globalThis.TextEncoder();
			for (const versionedSignature of passedSignatures) {
				const [version, signature] = versionedSignature.split(",");
				if (version !== "v1") continue;
				if ((0, timing_safe_equal_1.timingSafeEqual)(encoder.encode(signature), encoder.encode(expectedSignature))) {
					const payloadString = payload.toString();
					if (payloadString === "") return;
					if (jsonParse) return JSON.parse(payloadString);
					else return;
				}
			}
			throw new WebhookVerificationError("No matching signature found");
		}
		sign(msgId, timestamp, payload) {
			if (typeof payload === "string") {} else if (payload.constructor.name === "Buffer") payload = payload.toString();
			else throw new Error("Expected payload to be of type string or Buffer.");
			const encoder = new TextEncoder();
			const timestampNumber = Math.floor(timestamp.getTime() / 1e3);
			const toSign = encoder.encode(`${msgId}.${timestampNumber}.${payload}`);
			return `v1,${base64.encode(sha256.hmac(this.key, toSign))}`;
		}
		verifyTimestamp(timestampHeader) {
			const now = Math.floor(Date.now() / 1e3);
			const timestamp = parseInt(timestampHeader, 10);
			if (Number.isNaN(timestamp)) throw new WebhookVerificationError("Invalid Signature Headers");
			if (now - timestamp > WEBHOOK_TOLERANCE_IN_SECONDS) throw new WebhookVerificationError("Message timestamp too old");
			if (timestamp > now + WEBHOOK_TOLERANCE_IN_SECONDS) throw new WebhookVerificationError("Message timestamp too new");
			return /* @__PURE__ */ new Date(timestamp * 1e3);
		}
	};
	exports.Webhook = Webhook;
	Webhook.prefix = "whsec_";
}));
// ../sdk/webhooks.ts
function createWebhooks(transport) {
	const all = "/v1/webhooks";
	const path = (id, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
	return {
		list: (waiting = {}) => paginate(() => transport.json({
			method: "GET",
			path: all,
			...waiting
		})),
		/** The secret is shown only here, and when it is rotated. */
		create: (webhook, { idempotencyKey = crypto.randomUUID(), ...waiting } = {}) => transport.json({
			method: "POST",
			path: all,
			json: webhook,
			idempotencyKey,
			...waiting
		}),
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: path(id),
			...waiting
		}),
		update: (id, change, waiting = {}) => transport.json({
			method: "PATCH",
			path: path(id),
			json: change,
			...waiting
		}),
		delete: (id, waiting = {}) => transport.send({
			method: "DELETE",
			path: path(id),
			...waiting
		}),
		/** Sends a `webhook.test` event to this webhook only. */
		test: (id, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/test"),
			...waiting
		}),
		rotateSecret: (id, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/rotate-secret"),
			...waiting
		}),
		/** Deliveries of the last 72 hours, the latest first. */
		deliveries: (id, filter = {}, waiting = {}) => paginate((cursor) => transport.json({
			method: "GET",
			path: path(id, "/deliveries"),
			query: {
				...filter,
				cursor
			},
			...waiting
		})),
		redeliver: (id, eventId, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, `/deliveries/${encodeURIComponent(eventId)}/redeliver`),
			...waiting
		}),
		/** Whatever has failed since then. */
		redeliverFailed: (id, since, waiting = {}) => transport.json({
			method: "POST",
			path: path(id, "/deliveries/redeliver-failed"),
			json: { since: since.toISOString() },
			...waiting
		}),
		verify: verifyWebhook
	};
}
/**
* The event, when its signature is right and less than five minutes old.
*
* @param body exactly as it arrived: parsed and serialized again, it may differ
* @param headers of the request, as fetch, Node or Express have them
* @param secret `whsec_…`; while it is rotated, the new one and the old one both verify
* @throws PackshotError `signature_invalid`
*/
async function verifyWebhook(body, headers, secret) {
	const { Webhook } = await Promise.resolve().then(() => /* @__PURE__ */ __toESM(require_dist(), 1));
	const text = typeof body === "string" ? body : new TextDecoder().decode(body);
	const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
	const signed = {};
	for (const name of [
		"webhook-id",
		"webhook-timestamp",
		"webhook-signature"
	]) {
		const value = given[name];
		if (value !== void 0) signed[name] = [value].flat().join(" ");
	}
	try {
		return new Webhook(secret).verify(text, signed);
	} catch (cause) {
		throw new PackshotError("signature_invalid", `The webhook is not verified: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
	}
}
// ../sdk/packshot.ts
/** The client. `new Packshot({apiKey, baseUrl}).edit("mask", file)` uploads, waits and gives the result as a stream. */
var Packshot = class {
	account;
	audit;
	batches;
	connections;
	jobs;
	presets;
	tools;
	uploads;
	webhooks;
	#transport;
	constructor(options) {
		const { baseUrl, apiKey, timeoutMs = 6e4, retriesMax = 4, retryAfterMsMax = 6e4 } = options;
		if (!/^https?:\/\//i.test(baseUrl)) throw new TypeError("baseUrl must be like https://packshot.example");
		const request = options.fetch ?? ((...given) => fetch(...given));
		this.#transport = createTransport({
			baseUrl: baseUrl.replace(/\/+$/, ""),
			apiKey,
			timeoutMs,
			retriesMax,
			retryAfterMsMax,
			fetch: request
		});
		this.account = createAccount(this.#transport);
		this.audit = createAudit(this.#transport);
		this.batches = createBatches(this.#transport);
		this.connections = createConnections(this.#transport);
		this.jobs = createJobs(this.#transport);
		this.presets = createPresets(this.#transport);
		this.tools = createTools(this.#transport);
		this.uploads = createUploads(this.#transport);
		this.webhooks = createWebhooks(this.#transport);
	}
	/**
	* Sends an edit and waits for its end. Rejects with the job's error when it fails. An abort ends the wait and leaves the
	* job as it is: cancel it with `jobs.cancel`.
	*/
	async edit(tool, source, options = {}) {
		const { id } = await submitEdit(this.#transport, tool, source, options);
		const job = await waitForJob(this.#transport, id, options);
		const { resultUrl, thumbnailUrl } = job;
		if (resultUrl === null || thumbnailUrl === null) throw jobError(job);
		return {
			job,
			download: (waiting) => download(this.#transport, resultUrl, waiting),
			thumbnail: (waiting) => download(this.#transport, thumbnailUrl, waiting)
		};
	}
	/** Sends an edit and does not wait: a webhook, or `jobs.wait`, tells its end. */
	async submit(tool, source, options = {}) {
		return await submitEdit(this.#transport, tool, source, options);
	}
};
function createTools(transport) {
	return {
		list: (waiting = {}) => paginate(() => transport.json({
			method: "GET",
			path: "/v1/tools",
			...waiting
		})),
		get: (id, waiting = {}) => transport.json({
			method: "GET",
			path: `/v1/tools/${encodeURIComponent(id)}`,
			...waiting
		}),
		/** Named themes for ai-bg, each with a picture. */
		themes: (waiting = {}) => paginate(() => transport.json({
			method: "GET",
			path: "/v1/themes",
			...waiting
		}))
	};
}
// edit-photos.ts
/** Edits the photos that a workflow names, some at a time. */
var photoNames = /\.(jpe?g|png|webp|avif|tiff?|gif|heic|heif)$/i;
/** Faults of one photo. With any other error the next photo would not fare better. */
var concernsAll = [
	"unauthenticated",
	"insufficient_credits",
	"api_disabled",
	"scope_missing"
];
var isGone = [
	"job_expired",
	"job_deleted",
	"job_cancelled"
];
/** In the order of the photos. Rejects with an error that concerns all of them. */
async function editPhotos(client, request) {
	const photos = await findPhotos(request.photos, resolve(request.out));
	if (photos.length === 0) throw new Error(`there are no photos in ${request.photos.join(", ")}`);
	const results = [];
	let next = 0;
	async function work() {
		while (next < photos.length) {
			const index = next++;
			results[index] = await editPhoto(client, request, photos[index]);
		}
	}
	await Promise.all(Array.from({ length: request.parallel }, work));
	return results;
}
async function findPhotos(given, out) {
	const found = /* @__PURE__ */ new Map();
	for (const name of given) {
		const isFolder = (await stat(name)).isDirectory();
		const entries = isFolder ? await readdir(name, { recursive: true }) : [name];
		for (const entry of entries.filter((each) => photoNames.test(each)).sort()) {
			const path = isFolder ? join(name, entry) : entry;
			if (!resolve(path).startsWith(`${out}/`)) {
				const below = isFolder ? entry : relative(dirname(path), path);
				found.set(path, {
					path,
					resultName: below.slice(0, -extname(below).length)
				});
			}
		}
	}
	return [...found.values()];
}
async function editPhoto(client, request, photo) {
	const { tool, preset, parameters, out } = request;
	const { path, resultName } = photo;
	try {
		const idempotencyKey = `action-${createHash("sha256").update(JSON.stringify([
			tool,
			preset,
			parameters,
			path
		])).update(await readFile(path)).digest("hex").slice(0, 40)}`;
		const source = await openAsBlob(path);
		const options = {
			...preset !== void 0 && { preset },
			parameters,
			metadata: { photo: path.slice(-200) }
		};
		const edited = await client.edit(tool, source, {
			...options,
			idempotencyKey
		}).catch((error) => {
			if (error instanceof PackshotError && isGone.includes(error.code)) return client.edit(tool, source, options);
			throw error;
		});
		const { stream, contentType } = await edited.download();
		const file = join(out, `${resultName}.${contentType === "image/jpeg" ? "jpg" : contentType.replace("image/", "")}`);
		await mkdir(dirname(file), { recursive: true });
		await pipeline(Readable.fromWeb(stream), createWriteStream(`${file}.part`));
		await rename(`${file}.part`, file);
		const { id: jobId, report, creditsCharged: credits } = edited.job;
		return {
			photo: path,
			file,
			jobId,
			quality: report?.quality ?? "ok",
			credits
		};
	} catch (error) {
		if (!(error instanceof PackshotError) || concernsAll.includes(error.code)) throw error;
		return {
			photo: path,
			code: error.code,
			message: error.message
		};
	}
}
// workflow-commands.ts
/** How an action talks to GitHub's runner: inputs are in the environment, outputs and the summary are files. */
function createWorkflow(environment, print) {
	const appendTo = (name, text) => {
		const path = environment[name];
		if (path) appendFileSync(path, text);
	};
	return {
		input: (name) => (environment[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "").trim(),
		output(name, value) {
			const delimiter = `end-${randomUUID()}`;
			appendTo("GITHUB_OUTPUT", `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
		},
		summarize: (text) => appendTo("GITHUB_STEP_SUMMARY", text),
		annotate: (level, message) => print(`::${level}::${escaped(message)}`),
		mask: (secret) => print(`::add-mask::${escaped(secret)}`)
	};
}
/** A message must not begin a line, and with it a command, of its own. */
function escaped(text) {
	return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
// action-main.ts
/** What GitHub's runner starts. */
var parallelMax = 64;
async function run(workflow) {
	const apiKey = required(workflow, "key");
	workflow.mask(apiKey);
	const results = await editPhotos(new Packshot({
		baseUrl: required(workflow, "url"),
		apiKey
	}), readRequest(workflow));
	const failed = results.filter((result) => "code" in result);
	const made = results.filter((result) => "file" in result);
	const review = made.filter(({ quality }) => quality === "review");
	workflow.output("edited", String(made.length));
	workflow.output("failed", String(failed.length));
	workflow.output("review", String(review.length));
	workflow.output("credits", String(made.reduce((sum, { credits }) => sum + credits, 0)));
	workflow.output("results", JSON.stringify(results));
	workflow.summarize(summaryOf(results));
	for (const { photo, message, code } of failed) workflow.annotate("error", `${photo}: ${message} (${code})`);
	for (const { photo, file } of review) workflow.annotate("warning", `${photo}: look at ${file}`);
	return failed.length === 0 && (review.length === 0 || workflow.input("fail-on-review") !== "true");
}
function readRequest(workflow) {
	const parallel = Number(workflow.input("parallel") || 4);
	if (!Number.isInteger(parallel) || parallel < 1 || parallel > parallelMax) throw new Error(`parallel must be a whole number from 1 to ${parallelMax}`);
	const preset = workflow.input("preset");
	return {
		photos: required(workflow, "photos").split("\n").map((line) => line.trim()).filter((line) => line !== ""),
		out: workflow.input("out") || "edited",
		tool: workflow.input("tool") || "mask",
		...preset !== "" && { preset },
		parameters: readParameters(workflow.input("parameters") || "{}"),
		parallel
	};
}
function readParameters(text) {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error("parameters must be JSON");
	}
}
function required(workflow, name) {
	const value = workflow.input(name);
	if (value !== "") return value;
	throw new Error(`the input "${name}" is missing`);
}
function summaryOf(results) {
	return `### Packshot\n\n| photo | result | quality | credits |\n|---|---|---|---|\n${results.map((result) => {
		const outcome = "file" in result ? [
			cell(result.file),
			result.quality,
			result.credits
		] : [
			"",
			cell(result.message),
			0
		];
		return `| ${[cell(result.photo), ...outcome].join(" | ")} |\n`;
	}).join("")}\n`;
}
/** The name of a photo must not end its cell, or bring markup. */
function cell(text) {
	return text.replaceAll(/[\\`*_{}[\]<>()#|!~\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
var workflow = createWorkflow(process.env, (line) => console.log(line));
try {
	if (!await run(workflow)) process.exitCode = 1;
} catch (error) {
	workflow.annotate("error", error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
export {};
