import { beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runInProcess } from '../run-in-process.ts';
import { afterTheFile, connect, type Surroundings, temporaryFolder } from '../run-tieout.ts';

/** What a command answers from may be a part of what there is, or not be worked through yet: then it says so. */
const afterwards = afterTheFile();
let at: Surroundings;

beforeAll(async () => {
  const sandbox = await startSandbox({ subscriptions: 8, months: 3, outage: false });
  afterwards(() => sandbox.close());
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connect(at, sandbox.describe());
});

const tieout = (...args: string[]) => runInProcess(args, at);
const nothing = /^Nothing is held yet: sync the site\.$/m;

test('with nothing held, nothing is in order', async () => {
  const ran = await tieout('check');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(nothing) });
  expect(ran.stdout).toContain('in what is held and was checked, which is not all.');
  expect((await tieout('exceptions', 'list', '--json')).stderr).toMatch(nothing);
});

test('lists of webhooks and of statements, and a plan, say what of them is missing', async () => {
  expect((await tieout('sync', '--only', 'statements', '--quiet')).stderr).toBe('');
  const missing = 'Missing: all webhooks. Fetch it with: tieout sync';
  for (const verb of ['list', 'errors', 'outages']) {
    expect((await tieout('webhooks', verb)).stderr).toContain(missing);
  }
  expect((await tieout('statements', 'list', '--json')).stderr).toBe('');
  expect((await tieout('check')).stderr).toContain('Not everything is held');
});

test('once all is held and checked, nothing is to be said of it', async () => {
  await tieout('sync', '--quiet');
  expect(await tieout('check', '--quiet')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('In order'),
  });
  for (const noun of ['webhooks', 'statements', 'transactions', 'subscriptions', 'exceptions']) {
    expect((await tieout(noun, 'list', '--json')).stderr).toBe('');
  }
});

test('exceptions say that records changed since they were checked, until they are', async () => {
  await tieout('archive', 'fetch', '--quiet');
  const changed = /^\d+ subscriptions? changed since the last check: check again\.$/m;
  expect((await tieout('exceptions', 'list')).stderr).toMatch(changed);
  expect(await tieout('check')).toMatchObject({ code: 0 });
  expect((await tieout('exceptions', 'list')).stderr).not.toMatch(changed);
});

test('matches say that the site was synced since the last run', async () => {
  await tieout('match', 'run', '--quiet');
  expect((await tieout('match', 'list', '--json')).stderr).toBe('');
  await tieout('sync', '--quiet');
  for (const noun of ['list', 'payments', 'payouts']) {
    const { stderr } = await tieout('match', noun);
    expect(stderr).toContain('The site was synced since the last run. Match again with: tieout match run');
  }
});
