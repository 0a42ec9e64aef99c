import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countTracedFigures } from '../count-traced-figures.ts';
import { run, runJson, temporaryFolder } from '../run-tieout.ts';

interface Demo {
  ok: boolean;
  sync: { complete: boolean };
  parts: { part: string; stored: number }[];
  replayed: { webhook: number; accepted: boolean } | null;
  pdf: { statement: number; sha256: string } | null;
  period: { state: string; explained: boolean; closed_figures: { sha256: string } };
  ledger: { rows: number; isNew: boolean } | null;
  bank: { confirmed: number; imports: { rows: { new: number; duplicate: number } }[] } | null;
}

test('the demo runs all its steps in the terminal, twice in a row', async () => {
  const at = { home: temporaryFolder(), keychain: false };
  const first = await run(['demo', '--headless'], at);
  expect(first, first.stderr).toMatchObject({ code: 0 });
  for (const heading of [
    '1. Demo site',
    '2. Sync',
    '3. Undelivered webhooks',
    '4. Replay',
    '5. Statements',
    '6. October bank',
    '7. October general ledger',
    'accounts mapped',
    '8. October sign-off',
    'S1 Billing: difference 0.00 USD',
    'S2 Processor: difference 0.00 USD',
    'S3 Bank: difference 0.00 USD',
    'S4 General ledger: difference 0.00 USD',
    '2026-10 is closed with no unexplained items',
    'Summary',
  ]) {
    expect(first.stdout).toContain(heading);
  }
  expect(first.stdout).toMatch(/Result: accepted at /);
  expect(first.stdout).toContain('All steps succeeded.');
  expect(first.stderr).toMatch(/webhooks [\d,]+/);

  const second = await runJson<Demo>(['demo', '--headless'], at);
  expect(second).toMatchObject({ ok: true, sync: { complete: true }, replayed: { accepted: true } });
  expect(second.bank?.confirmed).toBeGreaterThan(0);
  expect(second.period).toMatchObject({ state: 'closed', explained: true });
  expect(first.stdout).toContain(second.period.closed_figures.sha256);
  for (const { rows } of second.bank?.imports ?? []) expect(rows).toMatchObject({ new: 0 });
  expect(second.ledger).toMatchObject({ isNew: false, rows: expect.any(Number) });
  expect(first.stdout).not.toContain(`Replay of webhook ${second.replayed?.webhook}\n`);

  expect(await countTracedFigures(at.home, 'demo', '2026-10')).toBeGreaterThan(30);

  // The stored data is available without the service.
  const shown = await runJson<{ delivery: string }>(
    ['webhooks', 'show', String(second.replayed?.webhook)],
    at,
  );
  expect(shown.delivery).toBe('accepted');
  const archive = readdirSync(join(at.home, 'sites', 'demo', 'archive'), { recursive: true });
  expect(archive.join()).toContain(`${second.pdf?.sha256}.pdf`);
  expect((await run(['site', 'list'], at)).stdout).toContain('(demo)');
});
