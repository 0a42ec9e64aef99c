import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BrowserWindowConstructorOptions, Session } from 'electron';
import type { Blobs, Log } from '../host/index.ts';
import { START } from './own.ts';

/** A hidden window that prints one file. */
export interface PrintWindow {
  /** Resolves to false where it failed; a person who cancels is content. */
  print(path: string): Promise<boolean>;
  close(): void;
}

export interface Printing {
  readonly blobs: Pick<Blobs, 'take'>;
  /** Of the app's own: files lie here while they are printed. */
  readonly folder: string;
  readonly log: Log;
  openWindow(): PrintWindow;
  /** Opens a file with the program the system has for it. */
  openPath(path: string): Promise<string>;
}

/** The offered file that a page asks to have printed; null where it asks for something else. */
export function printedBlob(url: string): string | null {
  const id = url.startsWith(`${START}print/`) ? url.slice(`${START}print/`.length) : '';
  return /^[\w-]+$/.test(id) ? id : null;
}

/** Forgets files that were left to another program to print, or by an end in the middle. */
export function clearPrinting(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints the very bytes of an offered PDF: by Chromium's own view of it in a hidden window, or, where that fails, with the program the
 * system has for it. An offer that was used or has expired is passed over.
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

/** A window for printing: its own session, nothing of the app, and Chromium's PDF view. */
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

/** What a PDF that is printed may ask for: its own file, and the parts of Chromium's view; no permission and no network. */
export function guardPrinting(session: Guarded): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
    answer({ cancel: !['file:', 'chrome-extension:', 'chrome:', 'blob:', 'data:'].includes(protocol) });
  });
}
