import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-file.ts';

const settings = z.record(z.string(), z.json());
export type Settings = z.infer<typeof settings>;

const place = (home: string) => join(home, 'settings.json');

/** The settings of the app as a whole; empty where none are kept. A file that cannot be read counts as empty. */
export function readSettings(home: string): Settings {
  if (!existsSync(place(home))) return {};
  try {
    const read = settings.safeParse(JSON.parse(readFileSync(place(home), 'utf8')));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

/** Sets one setting; null forgets it. Gives all that are kept then. */
export function writeSetting(home: string, key: string, value: Settings[string]): Settings {
  const kept = new Map(Object.entries(readSettings(home)));
  if (value === null) kept.delete(key);
  else kept.set(key, value);
  const all = Object.fromEntries(kept);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeDurably(place(home), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
