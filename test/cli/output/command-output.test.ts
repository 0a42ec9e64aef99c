import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { WriteStream } from 'node:tty';
import { describe, expect, test } from 'vitest';
import { CommandOutput, type OutputFormat } from '../../../src/cli/output/command-output.ts';
import { printList } from '../../../src/cli/output/print-list.ts';
import type { TableColumn } from '../../../src/cli/output/table.ts';

/** Creates a slow stream whose writers must wait for it to drain, and records its text. */
function createRecordingStream(terminal: object) {
  let text = '';
  const stream = new Writable({
    highWaterMark: 64,
    write(chunk, _encoding, done) {
      text += String(chunk);
      setImmediate(done);
    },
  });
  const written = async () => {
    await finished(stream.end());
    return text;
  };
  return { stream: Object.assign(stream, terminal) as unknown as WriteStream, written };
}

function createRecordedOutput(
  format: OutputFormat,
  { quiet = false, columns }: { quiet?: boolean; columns?: number } = {},
) {
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const [stdout, stderr] = [createRecordingStream(terminal), createRecordingStream(terminal)];
  const out = new CommandOutput(format, quiet, stdout.stream, stderr.stream);
  return { out, stdout: stdout.written, stderr: stderr.written };
}

const allRows = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, name: `row ${at + 1}` }));
const total = { count: allRows.length, exact: true };

/** Fetches a page of at most 1000 rows, like the backend. */
async function fetchPage({ limit, after = '0' }: { limit: number; after?: string }) {
  const from = Number(after);
  const end = Math.min(allRows.length, from + Math.min(limit, 1000));
  const next = end < allRows.length ? String(end) : null;
  return { rows: allRows.slice(from, end), next, total: after === '0' ? total : null };
}

test.each(['table', 'json', 'ndjson'] as const)(
  'no invisible character reaches the terminal: %s',
  async (format) => {
    const { out, stdout, stderr } = createRecordedOutput(format, { columns: 80 });
    const name = 'Pay\u2062ee\u200d \u2067evil\u00ad';
    await out.document({ name }, () => [name]);
    out.notice(name);
    for (const text of [await stdout(), await stderr()]) {
      expect(text).toMatch(/Pay.*ee/);
      expect(text).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    }
  },
);

test('a list whose reader has closed the pipe stops without an error', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) });
  stream.on('error', () => undefined);
  const out = new CommandOutput('ndjson', false, stream as unknown as WriteStream);
  let pages = 0;
  async function* fetchPages() {
    for (; pages < 50; pages++) yield { rows: allRows.slice(0, 100), next: 'more' };
  }
  await out.list({ columns, fields: ['id'], pages: fetchPages(), empty: '' });
  expect(pages).toBeLessThan(3);
});

const columns: TableColumn<(typeof allRows)[number]>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'name', cell: ({ name }) => name },
];
const fields = ['id', 'name'] as const;
const list = { columns, fields, fetchPage, noun: 'rows', empty: 'There is nothing.' };
const noRows = { rows: [], next: null, total: { count: 0, exact: true } };

const print = (output: CommandOutput, options: Parameters<typeof printList>[1], changes = {}) =>
  printList({ output }, options, { ...list, ...changes });

describe('printed lists', () => {
  test('as JSON are one document with the total of the first page and the cursor of the last', async () => {
    const { out, stdout } = createRecordedOutput('json');
    await print(out, { limit: 2100 });
    expect(JSON.parse(await stdout())).toEqual({ rows: allRows.slice(0, 2100), next: '2100', total });
    const complete = createRecordedOutput('json');
    await print(complete.out, { all: true });
    expect(JSON.parse(await complete.stdout())).toEqual({ rows: allRows, next: null, total });
  });

  test('as JSON are one document even without rows', async () => {
    const { out, stdout } = createRecordedOutput('json');
    await print(out, {}, { fetchPage: async () => noRows });
    expect(JSON.parse(await stdout())).toEqual(noRows);
  });

  test('have one row per line as NDJSON and CSV', async () => {
    const rows = createRecordedOutput('ndjson');
    await print(rows.out, { limit: 2 });
    expect(await rows.stdout()).toBe('{"id":1,"name":"row 1"}\n{"id":2,"name":"row 2"}\n');
    const csv = createRecordedOutput('csv');
    await print(csv.out, { limit: 2 });
    expect(await csv.stdout()).toBe('id,name\r\n1,row 1\r\n2,row 2\r\n');
  });

  test('as a table print the number of rows and the next cursor to stderr', async () => {
    const { out, stdout, stderr } = createRecordedOutput('table');
    await print(out, { limit: 2 });
    expect(await stdout()).toBe('ID  NAME\n 1  row 1\n 2  row 2\n');
    expect(await stderr()).toBe('2 of 2,500 rows. Next page: --after 2\n');
  });

  test('continue after the given cursor', async () => {
    const { out, stdout } = createRecordedOutput('ndjson');
    await print(out, { after: '2499' });
    expect(await stdout()).toBe('{"id":2500,"name":"row 2500"}\n');
  });

  test('print a hint if they are empty', async () => {
    const { out, stdout, stderr } = createRecordedOutput('table');
    await print(out, {}, { fetchPage: async () => noRows });
    expect({ stdout: await stdout(), stderr: await stderr() }).toEqual({
      stdout: '',
      stderr: 'There is nothing.\n',
    });
  });

  test('fit the width of the terminal', async () => {
    const { out, stdout } = createRecordedOutput('table', { columns: 8 });
    const narrow = columns.map((column) => (column.header === 'name' ? { ...column, minWidth: 2 } : column));
    await print(out, { limit: 1 }, { columns: narrow });
    expect(await stdout()).toBe('ID  NAME\n 1  row…\n');
  });
});

describe('printed errors', () => {
  const error = {
    code: 'network',
    message: 'It is gone.\u001b[2J',
    hint: 'Try again.',
    retryable: true,
  } as const;

  test('are one sentence, and one document as JSON', async () => {
    const { out, stdout, stderr } = createRecordedOutput('json');
    out.error(error);
    expect(await stderr()).toBe('tieout: It is gone.·[2J Try again.\n');
    expect(JSON.parse(await stdout())).toEqual({ error: { ...error, detail: {} } });
  });

  test('are not printed as JSON after a document has been started', async () => {
    const { out, stdout } = createRecordedOutput('json');
    await out.write('{"rows":[');
    out.error(error);
    expect(await stdout()).toBe('{"rows":[');
  });

  test('leave stdout empty without --json', async () => {
    const { out, stdout } = createRecordedOutput('table', { quiet: true });
    out.error(error);
    expect(await stdout()).toBe('');
  });
});
