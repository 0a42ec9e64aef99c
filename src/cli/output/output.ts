import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import type { ErrorValue } from '../../contract/errors.ts';
import { errorDocument, sentenceOf } from '../failure.ts';
import { csvLine } from './csv.ts';
import { type Column, tableOf } from './table.ts';
import { harmlessJson, printable } from './text.ts';

export type Format = 'table' | 'json' | 'ndjson' | 'csv';

/** Where a command's result goes. `stdout` holds the result alone; everything else is said on `stderr`. */
export interface Output {
  readonly format: Format;
  readonly quiet: boolean;
  /** One result: its JSON, or the lines for people. */
  document(value: unknown, lines: () => readonly string[]): Promise<void>;
  /** A list, page after page. */
  list<Row>(listing: Listing<Row>): Promise<void>;
  /** Something to read that is not the result; silent with --quiet. */
  note(text: string): void;
  /** What went wrong, as a sentence; for JSON as a document on stdout too, unless one was begun there already. */
  fail(error: ErrorValue): void;
  /** Raw text to stdout. */
  write(text: string): Promise<void>;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface Listing<Row> {
  readonly columns: readonly Column<Row>[];
  /** The CSV's columns: the entity's own field names. */
  readonly fields: readonly string[];
  /** The pages in order. What the first one has besides its rows goes into the JSON document as well. */
  readonly pages: AsyncIterable<Page<Row>> | Iterable<Page<Row>>;
  /** What to say of it below the table: how many, and how to see more. */
  readonly footer?: (shown: number, first: Page<Row>, next: string | null) => string | undefined;
  /** Said in place of an empty table. */
  readonly empty: string;
}

/** The output of one command, in the form that was asked for. */
export function createOutput(
  format: Format,
  quiet: boolean,
  stdout: WriteStream = process.stdout,
  stderr: WriteStream = process.stderr,
): Output {
  let begun = false;
  const width = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  const write = async (text: string) => {
    begun = true;
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  const json = (value: unknown, indent?: number) => harmlessJson(JSON.stringify(value, null, indent));
  const note = (text: string) => {
    if (!quiet) stderr.write(`${text}\n`);
  };

  async function table<Row>({ columns, pages, footer, empty }: Listing<Row>) {
    let first: Page<Row> | undefined;
    let next: string | null = null;
    let shown = 0;
    let hidden: readonly string[] = [];
    for await (const page of pages) {
      first ??= page;
      next = page.next;
      shown += page.rows.length;
      if (page.rows.length === 0) continue;
      const laid = tableOf(columns, page.rows, width);
      await write(`${laid.lines.join('\n')}\n`);
      hidden = laid.hidden;
    }
    if (hidden.length > 0) note(`For want of width not shown: ${hidden.join(', ')}.`);
    const last = shown === 0 ? empty : first && footer?.(shown, first, next);
    if (last !== undefined) note(last);
  }

  /** Written as it arrives, so that a list of any length needs the memory of a page. */
  async function jsonList<Row>({ pages }: Listing<Row>) {
    let more: Record<string, unknown> | undefined;
    let separator = '\n';
    for await (const { rows, ...rest } of pages) {
      if (more === undefined) await write('{"rows":[');
      more = { ...rest, ...more, next: rest.next };
      for (const row of rows) {
        await write(`${separator}${json(row)}`);
        separator = ',\n';
      }
    }
    await write(`\n],${json({ next: null, ...more }).slice(1)}\n`);
  }

  return {
    format,
    quiet,
    note,
    fail(error) {
      stderr.write(`${printable(sentenceOf(error))}\n`);
      if ((format !== 'json' && format !== 'ndjson') || begun) return;
      begun = true;
      stdout.write(`${json(errorDocument(error), format === 'json' ? 2 : undefined)}\n`);
    },
    write,
    async document(value, lines) {
      if (format === 'json') await write(`${json(value, 2)}\n`);
      else if (format === 'ndjson') await write(`${json(value)}\n`);
      else await write([...lines(), ''].join('\n'));
    },
    async list(listing) {
      if (format === 'table') return table(listing);
      if (format === 'json') return jsonList(listing);
      if (format === 'csv') await write(csvLine(listing.fields));
      for await (const page of listing.pages) {
        for (const row of page.rows) {
          await write(format === 'csv' ? csvRow(listing.fields, row) : `${json(row)}\n`);
        }
      }
    },
  };
}

function csvRow<Row>(fields: readonly string[], row: Row): string {
  const cells = row as Record<string, unknown>;
  return csvLine(fields.map((field) => cells[field]));
}
