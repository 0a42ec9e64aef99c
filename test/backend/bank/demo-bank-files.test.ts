import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listDemoBankFiles } from '../../../src/backend/bank/demo-bank-files.ts';

test('lists only the bank files in the demo folder, each with its account', () => {
  const home = mkdtempSync(join(tmpdir(), 'tieout-offered-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  expect(listDemoBankFiles(home)).toEqual([]);
  mkdirSync(join(home, 'demo'));
  for (const name of ['payouts-2026-10.csv', 'bank-2026-10.csv', 'running.json', 'bank-2026-10.csv.part']) {
    writeFileSync(join(home, 'demo', name), name);
  }
  expect(listDemoBankFiles(home)).toEqual([
    { name: 'bank-2026-10.csv', text: 'bank-2026-10.csv', account: { name: 'Bank', kind: 'bank' } },
    {
      name: 'payouts-2026-10.csv',
      text: 'payouts-2026-10.csv',
      account: { name: 'Card processor', kind: 'processor' },
    },
  ]);
});
