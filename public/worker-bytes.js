// Workers that cannot read Blobs. In WebKit that is every worker of a document without an origin: one that was opened from
// disk, or is in a sandboxed frame. Not even a Blob that the worker makes itself can be read there. Such a worker is sent
// bytes instead of files, reads them as if they were Blobs, and sends bytes back.
'use strict';
(() => {
  const isNeeded = window.origin === 'null' && navigator.vendor.startsWith('Apple');

  /** This function is placed before the others in the worker's script, so it must not use any outer variables. */
  function inWorker() {
    const PIECE_BYTES = 1 << 20;

    /** As much of a Blob as the worker uses, over bytes in memory. A slice shares them. */
    class Bytes {
      constructor(parts = [], { type = '' } = {}) {
        const arrays = parts.map((part) => (part instanceof Bytes ? part.bytes : new Uint8Array(part)));
        this.type = type;
        this.bytes = new Uint8Array(arrays.reduce((sum, it) => sum + it.length, 0));
        let at = 0;
        for (const array of arrays) {
          this.bytes.set(array, at);
          at += array.length;
        }
      }

      get size() {
        return this.bytes.length;
      }

      slice(start = 0, end = this.size) {
        const part = new Bytes();
        part.bytes = this.bytes.subarray(start, end);
        return part;
      }

      async arrayBuffer() {
        return this.bytes.slice().buffer;
      }

      stream() {
        let at = 0;
        return new ReadableStream({
          pull: (controller) => {
            if (at < this.size) controller.enqueue(this.bytes.subarray(at, at += PIECE_BYTES));
            else controller.close();
          },
        });
      }
    }

    globalThis.Blob = Bytes;
    globalThis.FileReaderSync = class {
      readAsArrayBuffer(file) {
        return file.bytes.slice().buffer;
      }
    };
    addEventListener('message', ({ data }) => {
      if (!Array.isArray(data?.[1])) return;
      data[1] = data[1].map((file) => (file instanceof ArrayBuffer ? new Bytes([file]) : file));
    });
    const post = globalThis.postMessage.bind(globalThis);
    globalThis.postMessage = (message, moved = []) => {
      const sent = (it) => (it instanceof Bytes ? it.bytes.slice().buffer : it);
      post(Array.isArray(message) ? message.map(sent) : message, moved);
    };
  }

  /** Makes a worker that runs `inWorker` take and send the Blobs of the page. Its messages keep their order. */
  function adapt(worker) {
    worker.addEventListener('message', ({ data }) => {
      if (Array.isArray(data) && data[1] instanceof ArrayBuffer) data[1] = new Blob([data[1]]);
    });
    const post = worker.postMessage.bind(worker);
    let sending = Promise.resolve();
    worker.postMessage = (message, moved = []) => {
      sending = sending.then(async () => {
        const sent = Array.isArray(message) ? [...message] : message;
        if (Array.isArray(sent[1])) {
          sent[1] = await Promise.all(sent[1].map((file) => (file instanceof Blob ? file.arrayBuffer() : file)));
        }
        post(sent, moved);
      }).catch((error) => worker.dispatchEvent(new ErrorEvent('error', { message: String(error) })));
    };
    return worker;
  }

  globalThis.traceloupeWorkerBytes = Object.freeze({
    script: isNeeded ? `(${inWorker})();\n` : '',
    adapt: isNeeded ? adapt : (worker) => worker,
  });
})();
