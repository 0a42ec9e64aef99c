import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../shared/durable-file.ts';

const appSettingsSchema = z.record(z.string(), z.json());
export type AppSettings = z.infer<typeof appSettingsSchema>;

const settingsPath = (home: string) => join(home, 'settings.json');

/** Returns the app-wide settings, or an empty object if the file is missing or unreadable. */
export function readAppSettings(home: string): AppSettings {
  if (!existsSync(settingsPath(home))) return {};
  try {
    const parsed = appSettingsSchema.safeParse(JSON.parse(readFileSync(settingsPath(home), 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Sets one setting, or deletes it if the value is null. Returns all settings. */
export function writeAppSetting(home: string, key: string, value: AppSettings[string]): AppSettings {
  const entries = new Map(Object.entries(readAppSettings(home)));
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  const all = Object.fromEntries(entries);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileDurably(settingsPath(home), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
