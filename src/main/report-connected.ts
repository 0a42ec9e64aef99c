import type { LauncherMessage } from '../host/index.ts';

/** Notifies `npm start`, if it started this process, that a page has connected. */
export function reportConnected(): void {
  process.send?.('connected' satisfies LauncherMessage);
}
