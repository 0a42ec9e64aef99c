import type { ElectronApplication } from 'playwright-core';
import { expect, test } from 'vitest';
import { previewReport } from '../e2e/window-actions.ts';
import { openElectron } from './electron-test-app.ts';

interface PrintCall {
  /** URLs of the print window's frames at the time of printing. */
  readonly frames: readonly string[];
  readonly visible: boolean;
}

/** Answers print requests with this result instead of asking for the printer. Returns the recorded requests. */
async function answerPrintRequests(app: ElectronApplication, printed: boolean, reason: string) {
  await app.evaluate(
    ({ app: electron, shell }, [isPrinted, failure]) => {
      const calls: PrintCall[] = [];
      const opened: string[] = [];
      Object.assign(globalThis, { calls, opened });
      Object.assign(shell, {
        async openPath(path: string) {
          opened.push(path);
          return '';
        },
      });
      electron.on('browser-window-created', (_event, window) => {
        const { webContents } = window;
        Object.assign(webContents, {
          print(_options: object, answer: (done: boolean, reason: string) => void) {
            const frames = webContents.mainFrame.framesInSubtree.map(({ url }) => url);
            calls.push({ frames, visible: window.isVisible() });
            answer(isPrinted, failure);
          },
        });
      });
    },
    [printed, reason] as const,
  );
  return {
    calls: () => app.evaluate(() => Reflect.get(globalThis, 'calls') as PrintCall[]),
    opened: () => app.evaluate(() => Reflect.get(globalThis, 'opened') as string[]),
    windows: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
  };
}

test('pdf.js draws the report, and printing waits until Chromium’s viewer shows the PDF', async () => {
  const { app, page, complaints } = await openElectron();
  const printing = await answerPrintRequests(app, true, '');
  const viewer = await previewReport(page);
  const darkPixels = await viewer
    .locator('.page[data-loaded] canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      return [...(data ?? [])].filter((value, index) => index % 4 === 0 && value < 128).length;
    });
  expect(darkPixels).toBeGreaterThan(100);

  await viewer.getByRole('button', { name: 'Print', exact: true }).click();
  await expect.poll(printing.calls).toHaveLength(1);
  const [call] = await printing.calls();
  const [main, ...frames] = call?.frames ?? [];
  expect(main).toMatch(/^file:.*\.pdf$/);
  // The viewer is an extension's frame, which contains a frame with the PDF.
  expect(frames.some((url) => url.startsWith('chrome-extension://'))).toBe(true);
  expect(frames).toContain(main);
  expect(call?.visible).toBe(false);
  await expect.poll(printing.windows).toBe(1);
  expect(await printing.opened()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the system’s program opens the PDF if it cannot be printed', async () => {
  const { app, page } = await openElectron();
  const printing = await answerPrintRequests(app, false, 'Invalid printer settings');
  const viewer = await previewReport(page);
  await viewer.getByRole('button', { name: 'Print', exact: true }).click();
  await expect.poll(printing.opened).toEqual([expect.stringMatching(/\.pdf$/)]);
});
