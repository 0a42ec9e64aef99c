import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ChecklistStep } from '../../../src/contract/periods/checklist.ts';
import { addSite, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;

beforeAll(async () => {
  at = { home: temporaryFolder(afterwards), key: undefined };
  addSite(at.home);
  const file = join(at.home, 'may.csv');
  writeFileSync(file, standardCsv([['2026-05-06', '7.25', 'WHO IS THIS']]));
  await runForDocument(['bank', 'import', file, '--account', 'Main', '--profile', 'standard'], at);
  await runForDocument(['period', 'open', '--period', '2026-05'], at);
});

const words = ['period', 'checklist', '2026-05'];
const change = async (...args: string[]) => {
  const { rows } = await runForDocument<{ rows: ChecklistStep[] }>([...words, ...args], at);
  return (wanted: string) => rows.find(({ step }) => step === wanted);
};

test('the checklist lists the steps, and own steps are added, assigned, renamed, marked and removed', async () => {
  const shown = await runInProcess(words, at);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/sync .*Open.* 2026-06-01/) });
  expect(shown.stderr).toMatch(/\d+ of \d+ steps are done\./);
  const added = await change('--add', 'Accrue the rent', '--owner', 'Cy', '--due', '2026-06-04');
  expect(added('own:1')).toMatchObject({
    title: 'Accrue the rent',
    owner: 'Cy',
    due_on: '2026-06-04',
    done: null,
  });
  const marked = await change('--step', 'own:1', '--title', 'Accrue rent', '--done', '--by', 'Di');
  expect(marked('own:1')).toMatchObject({ title: 'Accrue rent', state: 'done', done: { name: 'Di' } });
  expect((await change('--step', 'own:1', '--not-done'))('own:1')).toMatchObject({ state: 'open' });
  expect((await change('--step', 'matching', '--owner', 'Ed'))('matching')).toMatchObject({ owner: 'Ed' });
  expect((await change('--step', 'matching', '--owner', 'none'))('matching')).toMatchObject({ owner: null });
  expect((await change('--step', 'own:1', '--due', 'none'))('own:1')).toMatchObject({ due_on: '2026-06-05' });
  expect((await change('--step', 'own:1', '--remove'))('own:1')).toBeUndefined();
});

test.each([
  [['--owner', 'Cy'], 'No step was chosen.'],
  [['--remove'], 'No step was chosen.'],
  [['--step', 'sync'], 'There is nothing to save.'],
  [['--step', 'own:1', '--remove', '--done'], '--remove cannot be combined'],
  [['--step', 'own:1', '--done', '--not-done'], '--done contradicts --not-done.'],
  [['--add', 'Rent', '--step', 'own:1'], '--add cannot be combined'],
  [['--step', 'sync', '--done'], 'Tieout determines the title and state'],
])('a contradictory change is a usage error: %j', async (args, message) => {
  expect(await runForError([...words, ...args], at, 2)).toMatchObject({
    message: expect.stringContaining(message),
  });
});
