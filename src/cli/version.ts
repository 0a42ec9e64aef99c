import { readFileSync } from 'node:fs';

/** The app's version; package.json is two folders up from the source and from the built command alike. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
