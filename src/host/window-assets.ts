import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Maps URL paths to the files of the window. */
export type WindowAssets = ReturnType<typeof openWindowAssets>;

export interface WindowAsset {
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
  /** True if the file's name contains a hash of its content, so that it may be cached forever. */
  readonly isCacheable: boolean;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
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

/** Lists the files of a folder once. Requests are only looked up in this list, so `..` cannot escape the folder. */
export function openWindowAssets(folder: string) {
  const files = new Map<string, { path: string; type: string }>();
  const walk = (at: string, address: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path, `${address}${entry.name}/`);
      const type = MEDIA_TYPES[entry.name.slice(entry.name.lastIndexOf('.') + 1)];
      if (entry.isFile() && type) files.set(`${address}${entry.name}`, { path, type });
    }
  };
  walk(folder, '/');
  const index = files.get('/index.html');
  if (index) files.set('/', index);

  return {
    /** Returns the file for the path of an address (`/`, `/assets/x.js`), or null. */
    async get(pathname: string): Promise<WindowAsset | null> {
      const file = files.get(pathname);
      if (!file) return null;
      const body = await readFile(file.path);
      return { type: file.type, body, isCacheable: pathname.startsWith('/assets/') };
    },
  };
}
