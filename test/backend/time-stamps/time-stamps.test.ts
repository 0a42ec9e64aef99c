import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { type BackendClient, toContractError } from '../../../src/contract/index.ts';
import { SITE } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';
import { createTestAuthority } from './time-stamp-authority.ts';

const march = { site: SITE, period: '2026-03' };
const authority = createTestAuthority();
afterAll(() => authority.close());

let bench: PeriodBench;
let client: BackendClient;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 31, on: '2026-03-09', cents: 7425 });
  await client.periods.open(march);
});
afterEach(() => bench.close());

const failOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => toContractError(error),
  );

test('a time stamp is added to the audit log, and the log and the pack prove it', async () => {
  const before = (await client.audit.verify({ site: SITE })).receipt;
  const stamp = await client.audit.timeStamp({ site: SITE, authority: await authority.serve() });
  expect(stamp).toMatchObject({ ...before, seq: before.entries + 1, problem: null, is_trusted: false });
  expect(stamp.authority).toBe('O=Example, CN=Test authority');

  await bench.sign('2026-03');
  const again = await client.audit.timeStamp({ site: SITE });
  expect(again.entries, 'by the authority used last').toBeGreaterThan(stamp.entries);
  const { ok, time_stamps } = await client.audit.verify({ site: SITE });
  expect({ ok, time_stamps }).toEqual({ ok: true, time_stamps: [stamp, again] });

  const path = join(bench.outputs, 'pack.zip');
  await bench.waitForJob((await client.packs.write({ ...march, path })).job);
  const verdict = await client.packs.verify({ path });
  expect(verdict).toMatchObject({ ok: true, audit: { ok: true, time_stamps: [stamp, again] } });
});

test('a time stamp that someone exchanged in the log is found', async () => {
  await client.audit.timeStamp({ site: SITE, authority: await authority.serve() });
  const own = openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books');
  own.exec('DROP TRIGGER IF EXISTS audit_no_update');
  const row = own.prepare("SELECT seq, detail FROM audit WHERE action = 'audit.timeStamp'").get() as {
    seq: number;
    detail: string;
  };
  const detail = { ...JSON.parse(row.detail), entries: 0 };
  own.prepare('UPDATE audit SET detail = ? WHERE seq = ?').run(JSON.stringify(detail), row.seq);
  closeStore(own);
  const { ok, time_stamps } = await client.audit.verify({ site: SITE });
  expect(ok).toBe(false);
  expect(time_stamps).toMatchObject([
    {
      at: null,
      problem: `The time stamp of entry ${row.seq} is for a state that the audit log never had.`,
    },
  ]);
});

test('nothing is recorded if the authority does not answer, refuses, or answers for something else', async () => {
  const { receipt } = await client.audit.verify({ site: SITE });
  const errorOf = async (address: string) => {
    const { code, message } = await failOf(client.audit.timeStamp({ site: SITE, authority: address }));
    return `${code}: ${message}`;
  };
  const closed = createTestAuthority();
  const unreachable = await closed.serve();
  closed.close();
  expect(await errorOf(unreachable)).toMatch(/^network: The time-stamp authority .* did not respond\.$/);
  const serve = (text: string, status = 200) =>
    authority.serve((_request, response) => response.writeHead(status, { location: '/' }).end(text));
  expect(await errorOf(await serve('', 503))).toMatch(/^network: .* answered with status 503\.$/);
  expect(await errorOf(await serve('', 302))).toMatch(/^network: .* answered with status 302\.$/);
  expect(await errorOf(await serve('x'.repeat(70_000)))).toMatch(
    /^network: .* sent a response that is too large\.$/,
  );
  expect(await errorOf(await serve('<html>'))).toBe('service: The time stamp cannot be read.');
  // The response of the previous request, which an attacker recorded.
  await client.audit.timeStamp({ site: SITE, authority: await authority.serve() });
  const recorded = readFileSync(join(authority.folder, 'response'));
  const replayed = await authority.serve((_request, response) => response.end(recorded));
  expect(await errorOf(replayed)).toBe('service: The time stamp is for a different hash.');
  expect((await client.audit.verify({ site: SITE })).receipt.entries).toBe(receipt.entries + 1);
});

test('only addresses of the web are accepted', async () => {
  const error = await failOf(client.audit.timeStamp({ site: SITE, authority: 'file:///etc/passwd' }));
  expect(error.code).toBe('validation');
  expect(await failOf(client.audit.timeStamp({ site: SITE }))).toMatchObject({
    code: 'validation',
    message: 'No time-stamp authority is set.',
  });
});
