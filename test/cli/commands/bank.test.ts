import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { BankImport, BankProfile, ImportPlanRow } from '../../../src/contract/bank/bank-imports.ts';
import type { BankAccount, BankLine } from '../../../src/contract/bank/bank-lines.ts';
import type { MatchVerification } from '../../../src/contract/index.ts';
import type { MatchGroup } from '../../../src/contract/matching/match-groups.ts';
import type { MatchRun } from '../../../src/contract/matching/match-runs.ts';
import { addSite, insertPayments, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let outputs: string;
const file = (name: string) => join(outputs, name);

const october = standardCsv([
  ['2026-10-02', '19.00', 'CARD PAYMENT', 'ch_1f70000001'],
  ['2026-10-03', '49.00', 'CARD PAYMENT'],
  ['2026-10-03', '49.00', 'CARD PAYMENT', 'no reference'],
  ['2026-10-03', '-2.00', 'ACCOUNT FEE'],
]);

/** A split transaction whose parts do not add up to its amount. */
const ambiguousQif =
  '!Type:Bank\nD10/13/2026\nT100.00\nPA shop\nSA\n$60.00\nSB\n$30.00\n^\nD10/14/2026\nT5.00\nPB\n^\n';
const bankCsv = 'Valuta;Betrag;Woofuer\n03.04.2026;1.019,00;Mieter\n05.06.2026;-2,50;Spesen\n';

beforeAll(() => {
  outputs = temporaryFolder(afterwards);
  at = { home: temporaryFolder(afterwards) };
  addSite(at.home);
  const cache = openStore(join(at.home, 'sites', 'acme', 'cache.db'), 'cache');
  insertPayments(cache, [
    { id: 70_000_001, statement: 9001, amount: 1900, on: '2026-10-01', gateway: 'ch_1f70000001' },
    { id: 70_000_002, statement: 9002, amount: 4900, on: '2026-10-02' },
    { id: 70_000_003, statement: 9003, amount: 4900, on: '2026-10-02' },
  ]);
  closeStore(cache);
  writeFileSync(file('october.csv'), october);
  writeFileSync(file('bad.csv'), `${october}never,1.00,USD,WHEN,\n`);
  writeFileSync(file('doubtful.csv'), ambiguousQif);
  writeFileSync(file('either.csv'), 'Date,Amount,Text\n03/04/2026,10.00,A\n05/06/2026,11.00,B\n');
});

interface ImportDocument {
  readonly preview: boolean;
  readonly rows: BankImport['rows'];
  readonly import: BankImport | null;
  readonly left_out: ImportPlanRow[];
  readonly blocker: string | null;
}

const document = <Document>(...args: string[]): Promise<Document> => runForDocument<Document>(args, at);

describe('tieout bank', () => {
  test('previews an import, imports once, and reports duplicates', async () => {
    const standard = ['bank', 'import', file('october.csv'), '--account', 'Main', '--profile', 'standard'];
    const preview = await document<ImportDocument>(...standard, '--preview');
    expect(preview).toMatchObject({ preview: true, import: null, rows: { total: 4, new: 4 } });
    expect(await document<ImportDocument>(...standard)).toMatchObject({
      preview: false,
      rows: preview.rows,
      import: { id: 1, state: 'done', file: 'october.csv' },
      left_out: [],
    });
    const again = await document<ImportDocument>(...standard);
    expect(again).toMatchObject({ import: null, rows: { new: 0, duplicate: 4 } });
    expect(again.left_out.map(({ row, verdict }) => [row, verdict])).toEqual([
      [1, 'duplicate'],
      [2, 'duplicate'],
      [3, 'duplicate'],
      [4, 'duplicate'],
    ]);
    const { rows } = await document<{ rows: BankAccount[] }>('bank', 'accounts');
    expect(rows).toMatchObject([{ name: 'Main', kind: 'bank', lines: 4, first_on: '2026-10-02' }]);
  });

  test('exits with 1 and lists unreadable rows with their location', async () => {
    const found = await runForDocument<ImportDocument>(
      ['bank', 'import', file('bad.csv'), '--account', 'Other', '--preview'],
      at,
      1,
    );
    expect(found.left_out).toMatchObject([{ row: 5, location: 'line 6', verdict: 'failed' }]);
    const { stdout } = await runInProcess(
      ['bank', 'import', file('bad.csv'), '--account', 'Other', '--preview'],
      at,
    );
    expect(stdout).toContain('line 6: ');
  });

  test('lists new rows that need review separately from skipped rows', async () => {
    const preview = ['bank', 'import', file('doubtful.csv'), '--account', 'Other', '--preview'];
    const found = await document<{
      needs_review: number;
      doubtful_rows: ImportPlanRow[];
      left_out: ImportPlanRow[];
    }>(...preview);
    expect(found).toMatchObject({
      needs_review: 1,
      doubtful_rows: [{ row: 1, verdict: 'new', reason: 'The splits add up to 90.00 USD, not 100.00 USD.' }],
      left_out: [],
    });
    const { stdout } = await runInProcess(preview, at);
    expect(stdout).toMatch(/to review +1\n/);
    expect(stdout).toContain('The splits add up to 90.00');
  });

  test('saves and lists profiles, and saves the original file of an import', async () => {
    writeFileSync(file('house.csv'), bankCsv);
    const bring = ['bank', 'import', file('house.csv'), '--account', 'House'];
    const error = await runForError(bring, at, 2);
    expect(error.hint).toContain('--answer date_order=dmy');
    const answers = ['--answer', 'date_order=dmy', '--answer', 'currency=EUR'];
    await document(...bring, ...answers, '--save-profile', 'house-bank', '--preview');
    const { rows } = await document<{ rows: BankProfile[] }>('bank', 'profiles');
    expect(rows[0]).toMatchObject({ name: 'house-bank', source: 'bank', built_in: false });
    expect(rows.find(({ name }) => name === 'standard')).toMatchObject({ built_in: true });
    const { stdout } = await runInProcess(['bank', 'profiles'], at);
    expect(stdout).toMatch(/house-bank .* saved/);

    const done = await document<ImportDocument>(...bring);
    expect(done.import).toMatchObject({ state: 'done', profile: 'house-bank', first_on: '2026-04-03' });
    const id = String(done.import?.id);
    await document('bank', 'source', id, '-o', file('back.csv'));
    expect(readFileSync(file('back.csv'), 'utf8')).toBe(bankCsv);
    await document('bank', 'remove-import', id, '--reason', 'a test');
    await document('bank', 'remove-profile', 'house-bank');
    await runForError(['bank', 'remove-profile', 'house-bank'], at, 2);
    expect((await runForError(bring, at, 2)).message).toContain('more than one way');
  });

  test('removes only an account without imports', async () => {
    await document('bank', 'add-account', 'Spare', '--kind', 'processor');
    await document('bank', 'remove-account', 'spare');
    const { rows } = await document<{ rows: BankAccount[] }>('bank', 'accounts');
    expect(rows.map(({ name }) => name)).not.toContain('Spare');
    const kept = await runForError(['bank', 'remove-account', 'Main'], at, 2);
    expect(kept.message).toBe('“Main” has imports, whose records must be kept.');
  });

  test('asks for the missing setting if a file is ambiguous', async () => {
    const error = await runForError(['bank', 'import', file('either.csv'), '--account', 'Other'], at, 2);
    const answer = /--answer (\S+=\S+)/.exec(error.hint ?? '')?.[1];
    expect(answer).toBeDefined();
    const read = await document<ImportDocument>(
      'bank',
      'import',
      file('either.csv'),
      '--account',
      'Other',
      '--answer',
      answer ?? '',
      '--preview',
    );
    expect(read.rows.new).toBe(2);
  });
});

describe('tieout match', () => {
  test('produces the same results in a dry run and a real run', async () => {
    const dry = await document<MatchRun>('match', 'run', '--dry-run');
    const run = await document<MatchRun>('match', 'run', '--account', 'main');
    const figures = ({
      passes,
      confirmed,
      suggested,
      ambiguous,
      unmatched_lines,
      unmatched_payments,
    }: MatchRun) => ({
      passes,
      confirmed,
      suggested,
      ambiguous,
      unmatched_lines,
      unmatched_payments,
    });
    expect(figures(run)).toEqual(figures(dry));
    expect(run.passes[0]).toMatchObject({ rule: 'gateway-id', confirmed: 1, suggested: 0, ambiguous: 0 });
    expect(run).toMatchObject({ confirmed: 1, unmatched_lines: 3, unmatched_payments: 2 });
  });

  test('verifies certificates and names a tampered one', async () => {
    const intact = await document<MatchVerification>('match', 'verify');
    expect(intact).toMatchObject({ ok: true, matches: 1, certified: 1, problems: [] });
    const replaceId = (from: string, to: string): void => {
      const books = openStore(join(at.home, 'sites', 'acme', 'books.db'), 'books');
      const sql = `UPDATE match_group SET reasons = replace(reasons, '"value":"${from}"', '"value":"${to}"')`;
      expect(books.prepare(sql).run().changes).toBeGreaterThan(0);
      closeStore(books);
    };
    replaceId('ch_1f70000001', 'ch_1f79999999');
    const { code, stdout } = await runInProcess(['match', 'verify'], at);
    expect(code).toBe(1);
    expect(stdout).toMatch(/match \d+: line 1 does not quote ch_1f79999999/);
    replaceId('ch_1f79999999', 'ch_1f70000001');
  });

  test('lists matches with their rows and records decisions', async () => {
    const { rows } = await document<{ rows: MatchGroup[] }>('match', 'list', '--status', 'confirmed');
    expect(rows).toMatchObject([
      {
        status: 'confirmed',
        rule: 'gateway-id',
        bank_lines: [{ id: 1, row: 1, file: 'october.csv', amount_in_cents: 1900 }],
        transactions: [{ id: 70_000_001, statement_id: 9001, amount_in_cents: 1900 }],
      },
    ]);
    const found = async (search: string) =>
      (await document<{ rows: MatchGroup[] }>('match', 'list', '--search', search)).rows.map((row) => row.id);
    expect(await found('70000001')).toEqual([rows[0]?.id]);
    expect(await found('nobody')).toEqual([]);
    const id = String(rows[0]?.id);
    await document('match', 'undo', id, '--reason', 'a test');
    await document('match', 'make', '--lines', '1', '--transactions', '70000001', '--reason', 'it is');
    await document(
      'match',
      'make',
      '--lines',
      '2',
      '--transactions',
      '70000002=4800',
      '--adjust',
      'fee=100',
      '--reason',
      'odd',
    );
    await document('match', 'categorize', '--lines', '4', '--category', 'fee', '--reason', 'the bank’s');
    const error = await runForError(['match', 'make', '--lines', '3', '--transactions', '70000001'], at, 2);
    expect(error.code).toBe('conflict');
    const lines = await document<{ rows: BankLine[] }>('bank', 'lines', '--sort', 'amount_in_cents');
    expect(lines.rows.map(({ id, state }) => [id, state])).toEqual([
      [3, expect.stringMatching(/open|ambiguous|suggested/)],
      [2, 'matched'],
      [1, 'matched'],
      [4, 'matched'],
    ]);
    const { stdout } = await runInProcess(['match', 'show', id], at);
    expect(stdout).toContain('undone  by');
    const csv = await runInProcess(['match', 'list', '--csv'], at);
    expect(csv.stdout.split('\r\n')[0]).toContain('id,status,rule');
  });

  test('removes the matches of a removed import', async () => {
    await document('bank', 'remove-import', '1', '--reason', 'wrong account');
    expect((await document<{ rows: BankLine[] }>('bank', 'lines')).rows).toEqual([]);
    const { rows } = await document<{ rows: MatchGroup[] }>('match', 'list');
    expect(rows).toEqual([]);
  });
});

describe('tieout bank import', () => {
  test('asks for a currency that the file does not state, and names the option', async () => {
    writeFileSync(file('unstated.csv'), 'Date,Amount,Text\n2026-10-02,10.00,A\n2026-10-13,-11.00,B\n');
    const bring = ['bank', 'import', file('unstated.csv'), '--account', 'Unstated'];
    const error = await runForError(bring, at, 2);
    expect(error.message).toContain('does not state the currency');
    expect(error.hint).toContain('--answer currency=EUR');
    const preview = await document<{ questions: { key: string }[] }>(...bring, '--preview');
    expect(preview.questions.map(({ key }) => key)).toEqual(['currency']);
    await document(...bring, '--answer', 'currency=CHF');
    const { rows } = await document<{ rows: BankAccount[] }>('bank', 'accounts');
    expect(rows.find(({ name }) => name === 'Unstated')).toMatchObject({ currency: 'CHF' });
    writeFileSync(file('euros.csv'), standardCsv([['2026-10-20', '5.00', 'A', '', 'EUR']]));
    const other = await runForError(['bank', 'import', file('euros.csv'), '--account', 'Unstated'], at, 2);
    expect(other.message).toContain('The file is in EUR, but “Unstated” is an account in CHF.');
  });

  test.each([
    ['hello world\nthis is a letter\n', 'No column with dates and amounts'],
    [
      'date,amount,currency,description,reference\n2026-10-02,x,USD,a,b\n',
      'No column with dates and amounts',
    ],
    ['', 'The file is empty'],
    ['%PDF-1.7\n', 'The file is a PDF'],
    ['date,amount,currency,description,reference\n', 'no readable line'],
  ])('ends a preview of %j with an error, because nothing is readable', async (text, message) => {
    writeFileSync(file('unreadable.csv'), text);
    const error = await runForError(
      ['bank', 'import', file('unreadable.csv'), '--account', 'Other', '--preview'],
      at,
      2,
    );
    expect(error.message).toContain(message);
  });

  test('asks what unknown directions mean', async () => {
    const lines = '2026-10-24,Card,12.50,EUR\n2026-10-25,Transfer,250.00,EUR\n';
    writeFileSync(file('types.csv'), `Date,Transaction Type,Amount,Currency\n${lines}`);
    const bring = ['bank', 'import', file('types.csv'), '--account', 'Types'];
    const error = await runForError(bring, at, 2);
    expect(error.hint).toContain('--answer direction.card=in or --answer direction.card=out');
    const answers = ['--answer', 'direction.card=out', '--answer', 'direction.transfer=in'];
    const preview = await document<{ sums: unknown }>(...bring, ...answers, '--preview');
    expect(preview.sums).toMatchObject([{ currency: 'EUR', in_cents: 25000, out_cents: -1250 }]);
  });

  test('shows in the preview what each column is used for', async () => {
    writeFileSync(file('columns.csv'), 'Datum;Betrag (EUR);Zweck;Filiale\n2026-10-02;5,00;a;7\n');
    const preview = ['bank', 'import', file('columns.csv'), '--account', 'Other', '--preview'];
    expect(await document(...preview)).toMatchObject({
      columns: [
        { name: 'Datum', role: 'booked_on' },
        { name: 'Betrag (EUR)', role: 'amount' },
        { name: 'Zweck', role: 'description' },
        { name: 'Filiale', role: 'not_used' },
      ],
    });
    const { stdout } = await runInProcess(preview, at);
    expect(stdout).toMatch(
      /columns +Datum: booked on; Betrag \(EUR\): amount; Zweck: description; Filiale: not used\n/,
    );
  });
});
