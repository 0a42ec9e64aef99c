import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSqlite as openDatabase } from '../../../src/backend/store/sqlite/connection.ts';
import type { AuditEntry, AuditVerdict } from '../../../src/contract/app/audit.ts';
import type { CheckRule } from '../../../src/contract/checks/checks.ts';
import type { ExceptionDetail, ExceptionRow } from '../../../src/contract/checks/exceptions.ts';
import type { Recomputation } from '../../../src/contract/checks/recomputation.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import {
  type CommandEnvironment,
  type CommandResult,
  cleanUpAfterFile,
  connectSandbox,
  run,
  temporaryFolder,
} from '../run-tieout.ts';

interface CheckDocument {
  readonly rules: { rule: string; severity: string; count: number }[];
  readonly exceptions: {
    id: number;
    rule: string;
    severity: string;
    subject: Record<string, number>;
    expected: number | null;
    actual: number | null;
    difference_in_cents: number | null;
    message: string;
    rows: { kind: string }[];
  }[];
}

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;

beforeAll(async () => {
  const faults = 'plant.arithmetic=1,plant.gap=1,plant.unsent_webhook=1';
  const sandbox = await startSandbox({ seed: 9, subscriptions: 60, outage: false, faults });
  afterwards(() => sandbox.close());
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connectSandbox(at, sandbox.describe());
  await runForDocument(['sync'], at);
});

const tieout = (...args: string[]): Promise<CommandResult> => runInProcess(args, at);
const document = <Document>(...args: string[]): Promise<Document> => runForDocument<Document>(args, at);
const runWithFindings = <Document>(...args: string[]): Promise<Document> =>
  runForDocument<Document>(args, at, 1);

describe('tieout check', () => {
  test('prints exceptions as one document and exits with 1', async () => {
    const { rules, exceptions } = await runWithFindings<CheckDocument>('check');
    expect(exceptions.map(({ rule }) => rule).sort()).toEqual([
      'period-gap',
      'statement-foots',
      'webhook-not-accepted',
    ]);
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter(({ count }) => count > 0).map(({ rule, count }) => [rule, count])).toEqual([
      ['statement-foots', 1],
      ['period-gap', 1],
      ['webhook-not-accepted', 1],
    ]);
    const foots = exceptions.find(({ rule }) => rule === 'statement-foots');
    expect(Object.keys(foots ?? {})).toEqual([
      'id',
      'rule',
      'severity',
      'subject',
      'expected',
      'actual',
      'difference_in_cents',
      'message',
      'rows',
    ]);
    expect(foots?.difference_in_cents).toBe((foots?.actual ?? 0) - (foots?.expected ?? 0));
    expect(foots?.rows.map(({ kind }) => kind)).toContain('transaction');
    expect(foots?.subject['statement_id']).toBeGreaterThan(0);
  });

  test('checks only a month or a rule on request', async () => {
    const { exceptions, rules } = await runWithFindings<CheckDocument>('check', '--rule', 'period-gap');
    expect(exceptions.map(({ rule }) => rule)).toEqual(['period-gap']);
    expect(rules).toEqual([{ rule: 'period-gap', severity: exceptions[0]?.severity, count: 1 }]);
    expect(await document<CheckDocument>('check', '--period', '2024-01')).toMatchObject({ exceptions: [] });
    expect(await runForError(['check', '--rule', 'no-such-rule'], at, 2)).toMatchObject({
      code: 'validation',
    });
    expect((await tieout('check', '--period', '2024-13')).code).toBe(2);
  });

  test('prints a readable summary', async () => {
    const { code, stdout } = await run(['check', '--quiet'], at);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^RULE +SEVERITY +OPEN\n/);
    expect(stdout).toContain('3 open exceptions, ');
  });

  test('lists rules, and turns one off and on', async () => {
    const { rows } = await document<{ rows: CheckRule[] }>('check', 'rules');
    expect(rows.every(({ enabled, explanation }) => enabled && explanation.length > 80)).toBe(true);
    await document('check', 'off', 'period-gap', '--reason', 'Pauses are agreed with customers.');
    const without = await runWithFindings<CheckDocument>('check');
    expect(without.exceptions.map(({ rule }) => rule)).not.toContain('period-gap');
    expect(without.rules.map(({ rule }) => rule)).not.toContain('period-gap');
    expect((await tieout('check', 'rules')).stdout).toContain('off: Pauses are agreed');
    await document('check', 'on', 'period-gap', '--reason', 'They are not.');
    expect((await runWithFindings<CheckDocument>('check')).exceptions).toHaveLength(3);
  });
});

describe('tieout exceptions', () => {
  const list = async (...args: string[]) =>
    (await document<{ rows: ExceptionRow[] }>('exceptions', 'list', ...args)).rows;

  test('lists, shows, accepts, reopens, assigns and comments on exceptions', async () => {
    const rows = await list();
    expect(rows.map(({ severity }) => severity)).toEqual(['error', 'error', 'warning']);
    const [first, second] = rows.map(({ id }) => String(id)) as [string, string];
    const detail = await document<ExceptionDetail>('exceptions', 'show', first);
    expect(detail.rows.length).toBeGreaterThan(0);
    const shown = (await tieout('exceptions', 'show', first)).stdout;
    for (const part of [
      detail.message,
      detail.explanation,
      'records',
      detail.rows[0]!.text,
      'Found by the sync',
    ]) {
      expect(shown).toContain(part);
    }

    await document('exceptions', 'accept', first, second, '--reason', 'Known to the service.');
    expect((await list()).length).toBe(1);
    expect((await list('--status', 'accepted')).map(({ id }) => String(id)).sort()).toEqual(
      [first, second].sort(),
    );
    await document('exceptions', 'reopen', second, '--reason', 'Not this one.');
    await document('exceptions', 'assign', `${second}`, '--to', 'Ada');
    await document('comment', 'add', `exception:${second}`, '--text', 'Wrote to them.');
    expect((await list('--assigned', 'Ada')).map(({ id, comments }) => [String(id), comments])).toEqual([
      [second, 1],
    ]);
    expect((await list('--unassigned')).length).toBe(1);
    expect(
      (await list('--search', String(detail.subject.subscription_id), '--status', 'accepted')).length,
    ).toBe(1);
    expect((await list('--severity', 'notice')).length).toBe(0);

    expect(await runForError(['exceptions', 'accept', first, '--reason', 'Again.'], at, 2)).toMatchObject({
      code: 'conflict',
    });
    expect(await runForError(['exceptions', 'show', '999'], at, 2)).toMatchObject({ code: 'not_found' });
    expect((await tieout('exceptions', 'accept', first)).code).toBe(2);
    expect((await tieout('exceptions', 'assign', first)).code).toBe(2);
    // Accepted exceptions stay accepted and no longer cause exit code 1.
    const { exceptions } = await runWithFindings<CheckDocument>('check');
    expect(exceptions.map(({ id }) => String(id))).not.toContain(first);
  });
});

describe('tieout audit', () => {
  test('lists actions with user and reason', async () => {
    const { rows } = await document<{ rows: AuditEntry[] }>('audit', 'list', '--all');
    expect(
      rows
        .map(({ action }) => action)
        .reverse()
        .slice(0, 3),
    ).toEqual(['sites.add', 'check.switch', 'check.switch']);
    expect(new Set(rows.map(({ user }) => user))).toEqual(new Set([userInfo().username]));
    const accepted = await document<{ rows: AuditEntry[] }>('audit', 'list', '--action', 'exceptions.accept');
    expect(accepted.rows.map(({ reason }) => reason)).toEqual([
      'Known to the service.',
      'Known to the service.',
    ]);
    expect((await tieout('audit', 'list')).stdout).toContain('Known to the service.');
  });

  test('verifies the log and detects a changed entry', async () => {
    expect(await document<AuditVerdict>('audit', 'verify')).toMatchObject({
      ok: true,
      broken_at: null,
      reason: null,
    });
    const { rows } = await document<{ rows: AuditEntry[] }>('audit', 'list', '--all');
    const { hash } = rows.find(({ seq }) => seq === 3)!;
    expect((await tieout('audit', 'verify', '--anchor', hash)).stdout).toContain(
      'The receipt proves that entries 1–3 are unchanged.',
    );
    expect(await runWithFindings<AuditVerdict>('audit', 'verify', '--anchor', 'f'.repeat(64))).toMatchObject({
      ok: false,
    });
    const books = openDatabase(join(at.home, 'sites', 'acme', 'books.db'));
    books.exec("DROP TRIGGER audit_no_update; UPDATE audit SET reason = 'Forgotten.' WHERE seq = 4");
    books.close();
    expect(await runWithFindings<AuditVerdict>('audit', 'verify')).toMatchObject({ ok: false, broken_at: 4 });
    const { code, stdout } = await tieout('audit', 'verify');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'The audit log is not intact at entry 4: Entry 4 was changed after it was written.\n' +
        'Damaged or tampered with: the history of exception 3, which differs from the audit log.\n',
    });
  });
});

describe('tieout verify --recompute', () => {
  test('confirms the stored results, and finds an altered one', async () => {
    const verify = ['verify', '--recompute'];
    expect(await document<Recomputation>(...verify)).toMatchObject({ ok: true, differences: [] });
    const books = openDatabase(join(at.home, 'sites', 'acme', 'books.db'));
    expect(books.prepare("UPDATE exception SET severity = 0 WHERE rule = 'period-gap'").run().changes).toBe(
      1,
    );
    books.close();
    const { ok, differences } = await runWithFindings<Recomputation>(...verify);
    expect(ok).toBe(false);
    expect(differences).toMatchObject([{ part: 'exceptions', change: 'changed' }]);
    const { code, stdout } = await tieout(...verify);
    expect(code).toBe(1);
    expect(stdout).toContain('1 difference between the stored and the recomputed results:');
    expect(stdout).toMatch(/different: Exception \d+, period-gap, open: /);
  });

  test('does not report a subscription as equal that cannot be checked again', async () => {
    const cache = openDatabase(join(at.home, 'sites', 'acme', 'cache.db'));
    const { subscription_id } = cache
      .prepare<[], { subscription_id: number }>(
        'SELECT subscription_id FROM allocation GROUP BY subscription_id, component_id HAVING count(*) > 1',
      )
      .get()!;
    cache
      .prepare("UPDATE allocation SET previous_quantity = 'many' WHERE subscription_id = ?")
      .run(subscription_id);
    cache.close();
    expect(await runWithFindings<Recomputation>('verify', '--recompute')).toMatchObject({ unchecked: 1 });
    expect((await tieout('verify', '--recompute')).stdout).toContain(
      'Not checked again because of errors (see the log): 1 subscription.',
    );
  });

  test('accepts either a path or a recomputation', async () => {
    expect(await runForError(['verify', 'pack.zip', '--recompute'], at, 2)).toMatchObject({
      message: 'Give a path or --recompute, not both.',
    });
    expect(await runForError(['verify'], at, 2)).toMatchObject({
      message: 'Give the path of a pack or archive, or --recompute.',
    });
  });
});
