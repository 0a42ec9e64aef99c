import { beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, connectSandbox, temporaryFolder } from '../run-tieout.ts';

/** Commands print a note if their results are based on incomplete or unchecked records. */
const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;

beforeAll(async () => {
  const sandbox = await startSandbox({ subscriptions: 8, months: 3, outage: false });
  afterwards(() => sandbox.close());
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connectSandbox(at, sandbox.describe());
});

const tieout = (...args: string[]) => runInProcess(args, at);
const nothingStoredNote = /^Nothing is stored yet\. Sync the site\.$/m;

test('an empty data directory does not pass the check', async () => {
  const ran = await tieout('check');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(nothingStoredNote) });
  expect(ran.stdout).toContain('Other records are missing or unchecked.');
  expect((await tieout('exceptions', 'list', '--json')).stderr).toMatch(nothingStoredNote);
});

test('lists report missing records', async () => {
  expect((await tieout('sync', '--only', 'statements', '--quiet')).stderr).toBe('');
  const missing = 'Missing: all webhooks. Download with: tieout sync';
  for (const verb of ['list', 'errors', 'outages']) {
    expect((await tieout('webhooks', verb)).stderr).toContain(missing);
  }
  expect((await tieout('statements', 'list', '--json')).stderr).toBe('');
  expect((await tieout('check')).stderr).toContain('The stored data is incomplete');
});

test('lists of complete and checked records print no note', async () => {
  await tieout('sync', '--quiet');
  expect(await tieout('check', '--quiet')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('applied, no open exceptions.'),
  });
  for (const noun of ['webhooks', 'statements', 'transactions', 'subscriptions', 'exceptions']) {
    expect((await tieout(noun, 'list', '--json')).stderr).toBe('');
  }
});

test('exceptions report records changed since the last check', async () => {
  await tieout('archive', 'fetch', '--quiet');
  const changed = /^\d+ subscriptions? changed since the last check\. Check again\.$/m;
  expect((await tieout('exceptions', 'list')).stderr).toMatch(changed);
  expect(await tieout('check')).toMatchObject({ code: 0 });
  expect((await tieout('exceptions', 'list')).stderr).not.toMatch(changed);
});

test('matches report that the site was synced since the last matching run', async () => {
  await tieout('match', 'run', '--quiet');
  expect((await tieout('match', 'list', '--json')).stderr).toBe('');
  await tieout('sync', '--quiet');
  for (const noun of ['list', 'payments', 'payouts']) {
    const { stderr } = await tieout('match', noun);
    expect(stderr).toContain(
      'The site was synced since the last run. Update the matches with: tieout match run',
    );
  }
});
