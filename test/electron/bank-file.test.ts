import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importDroppedFile } from '../e2e/window-actions.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createTemporaryHome, openElectron } from './electron-test-app.ts';

const text = ['date,amount,currency,description', '2026-09-21,84.10,USD,TRANSFER IDE', ''].join('\n');

test('a bank file dropped on the import dialog is imported and does not navigate the window', async () => {
  const path = join(createTemporaryHome(), 'september.csv');
  writeFileSync(path, text);
  const { page, complaints } = await openElectron();
  await importDroppedFile(page, path);
  await expect.poll(() => createWindowDriver(page).count('Bank lines')).toBe(1);
  expect(page.url()).toMatch(/^app:\/\/tieout\//);
  expect(complaints).toEqual([]);
});
