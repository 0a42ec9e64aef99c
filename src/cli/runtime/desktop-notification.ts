import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Alert } from '../../contract/webhooks/alerts.ts';
import { deliverDesktopAlerts } from '../../contract/webhooks/deliver-desktop-alerts.ts';
import type { SiteContext } from './cli-command.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 5000;

/** Program that shows a desktop notification, with its arguments. Texts are arguments, so no shell interprets them. */
type Notifier = (title: string, text: string) => readonly [file: string, args: string[]];

const MAC_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
];

/** Returns the program that shows desktop notifications in this session, or null if there is none. */
export function findNotifier(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Notifier | null {
  if (platform === 'darwin')
    return (title, text) => ['osascript', [...MAC_SCRIPT.flatMap((line) => ['-e', line]), title, text]];
  const hasDesktop = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  if (platform === 'linux' && hasDesktop)
    return (title, text) => ['notify-send', ['--app-name=Tieout', '--', title, text]];
  return null;
}

/** Shows the pending desktop alerts of a site. Without a desktop, they stay pending for the window. */
export async function showDesktopAlerts({ client, site, environment, output }: SiteContext): Promise<void> {
  const notifier = findNotifier(process.platform, environment.env);
  if (notifier === null || !(await client.alerts.settings({ site })).desktop) return;
  await deliverDesktopAlerts(client, site, async (alert) => {
    try {
      await showNotification(notifier, alert);
    } catch (error) {
      output.notice(
        `The desktop notification could not be shown: ${(error as Error).message.split('\n')[0]}`,
      );
      throw error;
    }
  });
}

async function showNotification(
  notifier: Notifier,
  { title, text }: Pick<Alert, 'title' | 'text'>,
): Promise<void> {
  const [file, args] = notifier(title, text);
  await run(file, args, { timeout: TIMEOUT_MS, windowsHide: true });
}
