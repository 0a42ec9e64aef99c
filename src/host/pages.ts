import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of the window by address. */
export interface Pages {
  /** Returns the file at an address's path (`/`, `/assets/x.js`), or null. */
  get(pathname: string): Promise<Page | null>;
}

export interface Page {
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
  /** True if the file is named by its content, so that it may be cached. */
  readonly lasting: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  pfb: 'application/octet-stream',
  bcmap: 'application/octet-stream',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Lists the regular files of a folder once. An address is looked up in that list and never becomes a path, so that no
 * spelling of `..` can lead out of the folder. Links are not followed. Files of unknown types are not served.
 */
export function openPages(folder: string): Pages {
  const files = new Map<string, { path: string; type: string }>();
  const walk = (at: string, address: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path, `${address}${entry.name}/`);
      const type = TYPES[entry.name.slice(entry.name.lastIndexOf('.') + 1)];
      if (entry.isFile() && type) files.set(`${address}${entry.name}`, { path, type });
    }
  };
  walk(folder, '/');
  const index = files.get('/index.html');
  if (index) files.set('/', index);

  return {
    async get(pathname) {
      const file = files.get(pathname);
      if (!file) return null;
      return { type: file.type, body: await readFile(file.path), lasting: pathname.startsWith('/assets/') };
    },
  };
}
