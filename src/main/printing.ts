import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BrowserWindowConstructorOptions, Session } from 'electron';
import type { Blobs, Log } from '../host/index.ts';
import { START } from './own.ts';

/** A hidden window that prints one file. */
export interface PrintWindow {
  /** Resolves to false on failure. Canceling by the user is no failure. */
  print(path: string): Promise<boolean>;
  close(): void;
}

export interface Printing {
  readonly blobs: Pick<Blobs, 'take'>;
  /** The app's folder for files being printed. */
  readonly folder: string;
  readonly log: Log;
  openWindow(): PrintWindow;
  /** Opens a file with the system's default program. */
  openPath(path: string): Promise<string>;
}

/** Returns the id of the one-time file that a page requests to print, or null. */
export function printedBlob(url: string): string | null {
  const id = url.startsWith(`${START}print/`) ? url.slice(`${START}print/`.length) : '';
  return /^[\w-]+$/.test(id) ? id : null;
}

/** Removes files left by earlier prints. */
export function clearPrinting(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints the exact bytes of a one-time PDF with Chromium's viewer in a hidden window, or, if that fails, opens it with
 * the system's program. Ignores a used or expired offer.
 */
export async function printOffered(id: string, printing: Printing): Promise<void> {
  const { blobs, folder, log } = printing;
  const offered = await blobs.take(id);
  if (offered?.type !== 'application/pdf') return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.pdf`);
  await pipeline(offered.stream, createWriteStream(path, { mode: 0o600 }));
  const window = printing.openWindow();
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
  const problem = await printing.openPath(path);
  if (problem !== '') log({ level: 'warn', msg: 'No program opens PDFs.', reason: problem });
}

/** Returns the options of a print window: a session of its own, no access to the app, and Chromium's PDF viewer. */
export function printWindowOptions(partition: string): BrowserWindowConstructorOptions {
  return {
    show: false,
    webPreferences: {
      partition,
      plugins: true,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: false,
    },
  };
}

type Guarded = Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'> & {
  readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'>;
};

/** Restricts a print window to its own file and the parts of Chromium's viewer, without permissions or network. */
export function guardPrinting(session: Guarded): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
    answer({ cancel: !['file:', 'chrome-extension:', 'chrome:', 'blob:', 'data:'].includes(protocol) });
  });
}
