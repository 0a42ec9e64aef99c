import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../shared/durable-file.ts';

const settings = z.record(z.string(), z.json());
export type AppSettings = z.infer<typeof settings>;

const place = (home: string) => join(home, 'settings.json');

/** Returns the app-wide settings. Empty if there are none or the file is unreadable. */
export function readAppSettings(home: string): AppSettings {
  if (!existsSync(place(home))) return {};
  try {
    const read = settings.safeParse(JSON.parse(readFileSync(place(home), 'utf8')));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

/** Sets one setting, or deletes it for null. Returns all settings. */
export function writeAppSetting(home: string, key: string, value: AppSettings[string]): AppSettings {
  const kept = new Map(Object.entries(readAppSettings(home)));
  if (value === null) kept.delete(key);
  else kept.set(key, value);
  const all = Object.fromEntries(kept);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileDurably(place(home), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
