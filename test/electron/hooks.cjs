/**
 * Loaded before the app's main process with `--require`. Keeps the worker threads within reach of a test as
 * `globalThis.workers`, and prints error boxes instead of showing them, because they wait for a person.
 */
const threads = require('node:worker_threads');

const workers = [];
globalThis.workers = workers;
threads.Worker = class extends threads.Worker {
  constructor(entry, options) {
    super(entry, options);
    workers.push({ name: options?.name, worker: this });
  }
};

if (process.versions.electron !== undefined) {
  const { dialog } = require('electron');
  dialog.showErrorBox = (title, content) => {
    process.stdout.write(`${JSON.stringify({ errorBox: title, content })}\n`);
  };
}
