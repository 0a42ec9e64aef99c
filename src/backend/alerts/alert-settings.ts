import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type AlertChannel,
  type AlertSettings,
  createNonRetryableError,
  type QuietHours,
} from '../../contract/index.ts';
import { getSiteFolder } from '../sites/site-file.ts';

/**
 * Content of `sites/<site>/alerts.json`. It is not in the books, because the address may contain a secret, and books are
 * copied to backups and packs.
 */
export interface StoredAlertSettings {
  desktop: boolean;
  command: string | null;
  address: string | null;
  /** True if the address was set on the command line, so that it may be in a local network. */
  address_may_be_local: boolean;
  quiet_hours: QuietHours | null;
}

const storedSchema = z.object({
  desktop: z.boolean().catch(false),
  command: z.string().nullable().catch(null),
  address: z.string().nullable().catch(null),
  address_may_be_local: z.boolean().catch(false),
  quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable().catch(null),
});

const NO_ALERTS: StoredAlertSettings = {
  desktop: false,
  command: null,
  address: null,
  address_may_be_local: false,
  quiet_hours: null,
};
const COMMAND_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const isWindows = process.platform === 'win32';

/** Returns the path of the file with a site's alert settings. */
export const getAlertSettingsPath = (home: string, site: string) =>
  join(getSiteFolder(home, site), 'alerts.json');

/** Returns the folder of the programs that alerts may run. Only the user puts files into it, never the app. */
export const getCommandsFolder = (home: string): string => join(home, 'hooks');

/** Returns a site's alert settings, or none if the file is missing or unreadable. */
export function readAlertSettings(home: string, site: string): StoredAlertSettings {
  const path = getAlertSettingsPath(home, site);
  if (!existsSync(path)) return NO_ALERTS;
  try {
    return storedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return NO_ALERTS;
  }
}

/** Returns the channels through which a site's alerts are sent. */
export const listAlertChannels = ({ desktop, command, address }: StoredAlertSettings): AlertChannel[] => [
  ...(desktop ? (['desktop'] as const) : []),
  ...(command === null ? [] : (['command'] as const)),
  ...(address === null ? [] : (['address'] as const)),
];

export function describeAlertSettings(home: string, site: string): AlertSettings {
  const { desktop, command, address, quiet_hours } = readAlertSettings(home, site);
  return {
    ...{ desktop, command, quiet_hours },
    address_host: address === null ? null : new URL(address).host,
    available_commands: listCommands(home),
    commands_folder: getCommandsFolder(home),
  };
}

/** Returns the path of a program in the folder of the home. Throws `validation` if it cannot be run safely. */
export function resolveAlertProgram(home: string, name: string): string {
  const folder = getCommandsFolder(home);
  const path = join(folder, name);
  const problem = COMMAND_NAME.test(name) ? findCommandProblem(path) : 'its name must be a plain file name';
  if (problem === null) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  throw createNonRetryableError(
    'validation',
    `The command ${name} cannot be run: ${problem}.`,
    `Put an executable program into the folder ${folder}, and enter its file name.`,
  );
}

function findCommandProblem(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'the file does not exist';
  if (!stat.isFile()) return 'it is not a file';
  // Scripts on Windows need a shell, which would interpret their arguments.
  if (isWindows) return /\.exe$/i.test(path) ? null : 'it is not an .exe file';
  if ((stat.mode & 0o022) !== 0) return 'other users can change the file';
  try {
    accessSync(path, constants.X_OK);
    return null;
  } catch {
    return 'the file is not executable';
  }
}

function listCommands(home: string): string[] {
  const folder = getCommandsFolder(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => COMMAND_NAME.test(name) && findCommandProblem(join(folder, name)) === null)
    .sort();
}
