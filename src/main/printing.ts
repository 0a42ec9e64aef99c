import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BrowserWindowConstructorOptions, Session } from 'electron';
import type { Log, OneTimeFiles } from '../host/index.ts';
import { APP_START_URL } from './app-origin.ts';

/** Hidden window that prints one file. */
export interface PrintWindow {
  /** Prints a file. Resolves to false on failure, and to true if the user cancels. */
  print(path: string): Promise<boolean>;
  close(): void;
}

export interface PrintContext {
  readonly blobs: Pick<OneTimeFiles, 'take'>;
  /** The app's folder for files that are being printed. */
  readonly folder: string;
  readonly log: Log;
  openWindow(): PrintWindow;
  /** Opens a file with the system's default program. Resolves to an error message, or an empty string. */
  openPath(path: string): Promise<string>;
}

/** Returns the id of the one-time file that a page asks to print, or null if the address is not a print request. */
export function parsePrintUrl(url: string): string | null {
  const id = url.startsWith(`${APP_START_URL}print/`) ? url.slice(`${APP_START_URL}print/`.length) : '';
  return /^[\w-]+$/.test(id) ? id : null;
}

/** Deletes files left by earlier prints. */
export function deletePrintedFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints a one-time PDF with Chromium's viewer in a hidden window. If that fails, opens the file with the system's
 * default program. Ignores an offer that was already used or has expired.
 */
export async function printOneTimeFile(id: string, context: PrintContext): Promise<void> {
  const { blobs, folder, log } = context;
  const offered = await blobs.take(id);
  if (offered?.type !== 'application/pdf') return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.pdf`);
  await pipeline(offered.stream, createWriteStream(path, { mode: 0o600 }));
  const window = context.openWindow();
  try {
    if (await window.print(path)) {
      rmSync(path, { force: true });
      return;
    }
  } catch (error) {
    log({ level: 'warn', msg: 'A PDF could not be printed here.', reason: String(error) });
  } finally {
    window.close();
  }
  const problem = await context.openPath(path);
  if (problem !== '') log({ level: 'warn', msg: 'No program opens PDFs.', reason: problem });
}

/** Returns the options of a print window: its own session, no access to the app, and Chromium's PDF viewer. */
export function createPrintWindowOptions(partition: string): BrowserWindowConstructorOptions {
  const isolation = { contextIsolation: true, sandbox: true, webSecurity: true, nodeIntegration: false };
  return {
    show: false,
    webPreferences: { partition, plugins: true, ...isolation, webviewTag: false, devTools: false },
  };
}

type RestrictableSession = Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'> & {
  readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'>;
};

/** Restricts a print window to its file and Chromium's viewer, without permissions or network. */
export function restrictPrintSession(session: RestrictableSession): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
    answer({ cancel: !['file:', 'chrome-extension:', 'chrome:', 'blob:', 'data:'].includes(protocol) });
  });
}
