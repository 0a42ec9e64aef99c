import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrintResult } from '../contract/index.ts';
import type { LogWriter } from '../host/index.ts';

/** Hidden window that prints one file. */
export interface PrintWindow {
  /** Prints a file after the user has chosen the printer. @throws if the file cannot be shown or printed */
  print(path: string): Promise<'printed' | 'canceled'>;
  close(): void;
}

export interface PrintContext {
  /** The app's folder for files that are being printed. */
  readonly folder: string;
  readonly log: LogWriter;
  openWindow(): PrintWindow;
  /** Opens a file with the system's default program. Resolves to an error message, or to an empty string on success. */
  openPath(path: string): Promise<string>;
}

/** Deletes files left by earlier prints. */
export function deletePrintedFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints a PDF with Chromium's viewer in a hidden window. If that fails, opens the file with the system's default
 * program. The file then remains until the next start, because the default program may still read it.
 */
export async function printPdf(bytes: Uint8Array, context: PrintContext): Promise<PrintResult> {
  const { folder, log } = context;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.pdf`);
  writeFileSync(path, bytes, { mode: 0o600 });
  const window = context.openWindow();
  try {
    const result = await window.print(path);
    rmSync(path, { force: true });
    return result;
  } catch (error) {
    log({ level: 'warn', msg: 'Printing failed.', reason: String(error) });
  } finally {
    window.close();
  }
  const problem = await context.openPath(path);
  if (problem === '') return 'opened';
  log({ level: 'warn', msg: 'No program opens PDFs.', reason: problem });
  return 'failed';
}
