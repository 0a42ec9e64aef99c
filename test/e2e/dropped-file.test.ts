import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { importDroppedFile, previewReport } from './window-actions.ts';

const text = [
  'date,amount,currency,description',
  '2026-09-14,120.00,USD,TRANSFER OKAFOR',
  '2026-09-15,-7.35,USD,CARD FEE',
  '',
].join('\n');

test('imports a bank file that is dropped on the import dialog, and shows a PDF', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-drop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'september.csv');
  writeFileSync(path, text);
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    await importDroppedFile(page, path);
    await expect
      .poll(() => app.host.client.bank.accounts({ site: 'demo' }))
      .toMatchObject([{ name: 'Harbor checking', kind: 'bank', lines: 2 }]);
    const viewer = await previewReport(page);
    expect(await viewer.getByRole('button', { name: 'Print', exact: true }).isEnabled()).toBe(true);
    expect(pageErrors).toEqual([]);
  });
});
