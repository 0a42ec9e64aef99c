import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** True if the app runs from source in a checkout. False for the built command, with all of its files in `out/main`. */
export const isRunFromSource = import.meta.url.endsWith('.ts');

const rootUrl = new URL(isRunFromSource ? '../../../' : '../../', import.meta.url);

/** Root folder of the checkout or of the installed package. */
export const appRoot = fileURLToPath(rootUrl);

/** Entry point of the sandbox's worker thread. */
export const sandboxWorkerUrl = isRunFromSource
  ? new URL('src/sandbox/worker.ts', rootUrl)
  : new URL('./sandbox.js', import.meta.url);

/** Reads the version of the app from package.json. */
export function readAppVersion(): string {
  const text = readFileSync(new URL('package.json', rootUrl), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
