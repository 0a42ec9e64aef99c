import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Incident, IncidentDetail } from '../../../src/contract/index.ts';
import { openWriterTestSite } from '../../backend/writer-test-site.ts';
import { run, runFailing, runJson, temporaryFolder } from '../run-tieout.ts';

async function openSiteWithIncident() {
  const bench = await openWriterTestSite({ subscriptions: 30, months: 2 });
  onTestFinished(() => bench.close());
  await bench.sync({ only: ['webhooks'] });
  const at = { home: bench.home, key: bench.sandbox.apiKey, keychain: false };
  const list = async (...args: string[]) =>
    (await runJson<{ rows: Incident[] }>(['incidents', 'list', ...args], at)).rows;
  const [incident] = await list();
  if (incident === undefined) throw new Error('No incident was found.');
  return { at, list, incident, id: String(incident.id) };
}

test('an incident is acknowledged, described, resolved and reopened', async () => {
  const { at, list, id } = await openSiteWithIncident();
  const act = (...args: string[]) => runJson<Incident>(['incidents', ...args], at);
  expect(await act('acknowledge', id, '--owner', 'Dana')).toMatchObject({
    state: 'acknowledged',
    owner: 'Dana',
  });
  expect(await list('--state', 'open')).toEqual([]);
  await act('update', id, '--cause', 'Expired certificate.', '--note', 'Renewed.');
  expect(await act('resolve', id, '--reason', 'Booked manually.')).toMatchObject({
    state: 'resolved',
    resolved_by: 'person',
  });
  expect(await act('reopen', id, '--reason', 'One is missing.')).toMatchObject({ state: 'open' });
  expect(await runFailing(['incidents', 'update', id], at, 2)).toMatchObject({ code: 'validation' });
  expect(await runFailing(['incidents', 'reopen', id, '--reason', 'Again.'], at, 2)).toMatchObject({
    code: 'conflict',
  });
  const { stdout } = await run(['incidents', 'show', id], at);
  for (const text of ['Dana', 'Expired certificate.', 'Renewed.', 'Booked manually.', 'One is missing.'])
    expect(stdout).toContain(text);
});

test('an incident is added from an error group, but not from nothing or twice from an outage', async () => {
  const { at, incident } = await openSiteWithIncident();
  const error = incident.error ?? '';
  const added = await runJson<Incident>(['incidents', 'add', '--error', error, '--name', 'Maintenance'], at);
  expect(added).toMatchObject({ kind: 'error_group', name: 'Maintenance', webhooks: incident.webhooks });
  expect(await runFailing(['incidents', 'add'], at, 2)).toMatchObject({ code: 'validation' });
  const { rows } = await runJson<{ rows: { id: string }[] }>(['webhooks', 'outages'], at);
  expect(await runFailing(['incidents', 'add', '--outage', rows[0]?.id ?? ''], at, 2)).toMatchObject({
    code: 'conflict',
  });
});

test('the report is printed or saved to a file, which is not overwritten without --replace', async () => {
  const { at, id } = await openSiteWithIncident();
  const printed = await run(['incidents', 'report', id], at);
  expect(printed.stdout).toContain('## Timeline');
  const file = join(temporaryFolder(), 'report.json');
  await run(['incidents', 'report', id, '--format', 'json', '-o', file], at);
  const report: IncidentDetail = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toEqual(await runJson<IncidentDetail>(['incidents', 'show', id], at));
  await runFailing(['incidents', 'report', id, '-o', file], at, 2);
  expect((await run(['incidents', 'report', id, '-o', file, '--replace'], at)).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('## Timeline');
});
