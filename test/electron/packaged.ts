import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** Path of the program made by `npm run package` for this system, or null. */
export function packagedProgram(dist = join(appRoot, 'dist')): string | null {
  if (!existsSync(dist)) return null;
  const folders = readdirSync(dist).map((name) => join(dist, name));
  const programs = folders.flatMap((folder) => [
    join(folder, 'Tieout.app', 'Contents', 'MacOS', 'Tieout'),
    join(folder, 'Tieout.exe'),
    join(folder, 'tieout-desktop'),
  ]);
  return programs.find((path) => existsSync(path)) ?? null;
}
