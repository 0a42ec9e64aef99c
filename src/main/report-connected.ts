import type { LauncherMessage } from '../host/index.ts';

/** Notifies `npm start` that a page has connected, if `npm start` started this process. */
export function reportConnected(): void {
  process.send?.('connected' satisfies LauncherMessage);
}
