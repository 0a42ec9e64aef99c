import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PeriodDetail } from '../../../src/contract/periods/periods.ts';
import type { WorkpaperSettings } from '../../../src/contract/periods/workpapers.ts';
import { addSite, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
const march = ['--period', '2026-03'];

beforeAll(async () => {
  at = { home: temporaryFolder(afterwards), key: undefined };
  addSite(at.home);
  const file = join(at.home, 'march.csv');
  writeFileSync(file, standardCsv([['2026-03-06', '7.25', 'WHO IS THIS']]));
  await runForDocument(['bank', 'import', file, '--account', 'Main', '--profile', 'standard'], at);
  await runForDocument(['period', 'open', ...march], at);
});

const settings = (...args: string[]) =>
  runForDocument<WorkpaperSettings>(['period', 'settings', ...args], at);
const period = (verb: string, ...args: string[]) =>
  runForDocument<PeriodDetail>(['period', verb, ...args, ...march], at);

test('the flux of a month is listed and explained', async () => {
  const { lines } = await runForDocument<{ lines?: object[]; rows: { figure: string; parts: null }[] }>(
    ['period', 'flux', ...march],
    at,
  ).then(({ rows }) => ({ lines: rows }));
  expect(lines.find(({ figure }) => figure === 'S3.open')).toMatchObject({
    ...{ previous_in_cents: null, current_in_cents: 725, difference_in_cents: null, parts: null },
  });
  await period('explain-flux', 'S3.open', '--text', 'The first month.');
  const shown = await runInProcess(['period', 'flux', ...march], at);
  expect(shown.stdout).toContain('The first month.');
  const { rows } = await runForDocument<{ rows: object[] }>(
    ['period', 'flux', ...march, '--figure', 'S3.open'],
    at,
  );
  expect(rows).toMatchObject([{ subscription: null, previous_in_cents: 0, current_in_cents: 725 }]);
});

test('statements are edited in a file and confirmed one by one by number', async () => {
  const file = join(at.home, 'statements.txt');
  writeFileSync(file, 'preparer: I counted the petty cash.\n\n reviewer: I saw the count sheet.\n');
  const { certification } = await settings('--statements', file, '--require-statements', 'yes');
  expect(certification).toEqual({
    required: true,
    statements: [
      { role: 'prepared', text: 'I counted the petty cash.' },
      { role: 'reviewed', text: 'I saw the count sheet.' },
    ],
  });
  const shown = await runInProcess(['period', 'settings'], at);
  expect(shown.stdout).toContain('   1. I counted the petty cash.');
  const submit = ['period', 'submit', ...march, '--comment', 'Unknown line.'];
  expect(await runForError(submit, at, 2)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('I counted the petty cash.'),
  });
  expect(await runForError([...submit, '--confirm', '2'], at, 2)).toMatchObject({ code: 'validation' });
  const { submitted } = await runForDocument<PeriodDetail>([...submit, '--confirm', '1'], at);
  expect(submitted?.statements).toEqual([{ text: 'I counted the petty cash.', confirmed: true }]);
  writeFileSync(file, 'I counted nothing.');
  expect(await runForError(['period', 'settings', '--statements', file], at, 2)).toMatchObject({
    code: 'validation',
    message: expect.stringContaining('Line 1'),
  });
});

test('thresholds and the policy for later changes are set one by one', async () => {
  const set = await settings('--threshold', 'S3:USD=12.50', '--threshold', 'S2:EUR=3', '--suspend-on', 'any');
  expect(set).toMatchObject({
    thresholds: [
      { schedule: 'S3', currency: 'USD', amount_in_cents: 1250 },
      { schedule: 'S2', currency: 'EUR', amount_in_cents: 300 },
    ],
    suspend_on: 'any',
  });
  expect((await runInProcess(['period', 'settings'], at)).stdout).toContain('S3  12.50 USD');
  expect((await settings('--threshold', 'S2:EUR=0')).thresholds).toHaveLength(1);
  expect(await runForError(['period', 'settings', '--threshold', 'S3=5'], at, 2)).toMatchObject({
    code: 'validation',
    message: 'S3=5 is not a threshold.',
  });
  await settings('--threshold', 'S3:USD=0');
});

test('a comment on a figure is answered and cleared', async () => {
  const { history } = await period('comment', 'S3.open', '--text', 'What is this?', '--by', 'Bo');
  const number = String(history.at(-1)!.seq);
  await period('review', '--approve', '--by', 'Bo', '--confirm', '1');
  expect(await runForError(['period', 'close', ...march], at, 2)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('What is this?'),
  });
  await period('answer', number, '--text', 'A deposit of the owner.');
  await period('clear', number, '--by', 'Bo');
  const { rows } = await runForDocument<{ rows: object[] }>(
    ['period', 'table', ...march, '--table', 'figure_comments'],
    at,
  );
  expect(rows).toMatchObject([
    { figure: 'S3.open', status: 'Cleared', text: 'What is this?' },
    { figure: 'S3.open', status: 'Cleared', text: 'A deposit of the owner.' },
    { figure: 'S3.open', status: 'Cleared', text: null },
  ]);
  expect((await runInProcess(['period', 'show', ...march], at)).stdout).toContain(
    'Confirmed: I saw the count sheet.',
  );
  expect(await period('close')).toMatchObject({ state: 'closed' });
});
