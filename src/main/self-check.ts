import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toContractError } from '../contract/index.ts';
import type { AppHost, SelfCheck, SelfCheckReport, StartTimes } from '../host/index.ts';
import { isEmptySheet } from './empty-sheet.ts';

/** Hidden window of the check page. */
export interface CheckWindow {
  /** Loads the check page with the id of a one-time PDF. Resolves to the results of the page's checks. */
  runPageChecks(blobId: string): Promise<readonly SelfCheck[]>;
  /** Kills the page's process. Resolves when Electron has reported its end. */
  killPage(): Promise<void>;
}

interface SelfCheckContext {
  /** Temporary data directory of the self-check. */
  readonly home: string;
  /** Resolves once the backend has started. */
  readonly ready: Promise<AppHost>;
  readonly versions: Readonly<Record<string, string>>;
  startTimes(): StartTimes;
  readonly window: CheckWindow;
  /** Prints a PDF file to a PDF through the print window. */
  printToPdf(path: string): Promise<Uint8Array>;
  readClipboard(): Promise<string>;
  readonly timeoutMs: number;
}

/** A one-page PDF with a black square. */
const TEST_PDF = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>> endobj
4 0 obj <</Length 20>> stream
50 50 100 100 re f  
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`;

/** Runs all checks one after another. A failed check does not stop the others, but the time limit does. */
export async function runSelfCheck(context: SelfCheckContext): Promise<SelfCheckReport> {
  const { home, ready, versions, startTimes, window, printToPdf, readClipboard, timeoutMs } = context;
  const checks: SelfCheck[] = [];
  const check = async (name: string, run: () => Promise<string> | string) => {
    const result = await Promise.resolve()
      .then(run)
      .then(
        (detail) => ({ name, ok: true, detail }),
        (error: unknown) => ({ name, ok: false, detail: String(error) }),
      );
    checks.push(result);
  };
  const path = join(home, 'self-check.pdf');
  writeFileSync(path, TEST_PDF);
  const offerPdf = async () =>
    (await ready).blobs.offer({ path, name: 'self-check.pdf', type: 'application/pdf' }).blob;

  const runAll = async () => {
    await check(
      'the backend starts',
      async () => `SQLite ${(await (await ready).client.app.about({})).sqlite}`,
    );
    await check('the page connects', async () => {
      checks.push(...(await window.runPageChecks(await offerPdf())));
      return 'connected';
    });
    await check('the saved file has the same bytes', () => {
      const saved = checks.find(({ name }) => name === 'a file is saved')?.detail ?? '';
      if (readFileSync(saved, 'latin1') !== TEST_PDF) throw new Error('The bytes differ.');
      return `${statSync(saved).size} bytes`;
    });
    await check('the copied text is on the clipboard', async () => {
      const text = await readClipboard();
      if (text !== 'Tieout self-check') throw new Error('The clipboard contains different text.');
      return text;
    });
    await check('a PDF is printed to a PDF', async () => {
      const printed = Buffer.from(await printToPdf(path));
      if (!printed.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('No PDF was printed.');
      if (isEmptySheet(printed)) throw new Error('The printed sheet is empty.');
      return `${printed.length} bytes`;
    });
    await check('a killed worker thread restarts', async () => {
      const host = await ready;
      await host.killThread('reader');
      return `SQLite ${await readSqliteVersion(host)}`;
    });
    await check('a killed page is loaded again', async () => {
      await window.killPage();
      const again = await window.runPageChecks(await offerPdf());
      return `${again.filter(({ ok }) => ok).length} of ${again.length} checks passed`;
    });
  };
  const timeout = new Promise<void>((resolve) => {
    setTimeout(() => {
      checks.push({
        name: 'time limit',
        ok: false,
        detail: `The checks took longer than ${timeoutMs / 1000} s.`,
      });
      resolve();
    }, timeoutMs).unref();
  });
  await Promise.race([runAll(), timeout]);
  return { ok: checks.every(({ ok }) => ok), versions, start: startTimes(), checks: [...checks] };
}

/** Time in milliseconds until a call is repeated that met a thread that had just ended. */
const RECONNECT_DELAY_MS = 50;

/** Returns the version that the reader reports. The end of a killed thread may become known only with the first call. */
async function readSqliteVersion(host: AppHost): Promise<string> {
  for (;;) {
    try {
      return (await host.client.app.about({})).sqlite;
    } catch (error) {
      if (toContractError(error).code !== 'disconnected') throw error;
      await delay(RECONNECT_DELAY_MS);
    }
  }
}
