import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import type { ErrorValue } from '../../contract/shared/errors.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { formatError, toErrorDocument } from '../errors/cli-error.ts';
import { formatTable, type TableColumn } from './table.ts';
import {
  escapeUnprintable,
  flattenTextLines,
  sanitizeLine,
  sanitizeText,
  type TextLines,
} from './terminal-text.ts';

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv';

export interface ListOutputPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface ListOutput<Row, Page extends ListOutputPage<Row> = ListOutputPage<Row>> {
  readonly columns: readonly TableColumn<Row>[];
  /** Columns of the CSV output: names of contract fields, or a function that loads the schema of a row. */
  readonly fields: readonly (keyof NoInfer<Row> & string)[] | (() => Promise<{ readonly shape: object }>);
  /** Pages of the list in order. The first page's fields other than rows also appear in the JSON document. */
  readonly pages: AsyncIterable<Page> | Iterable<Page>;
  /** Returns the notice below the table: the number of rows, and how to get more. */
  readonly footer?: (shown: number, first: Page, next: string | null) => string | undefined;
  /** Notice that is shown instead of an empty table. */
  readonly empty: string;
}

/** Output of one command. Only the result goes to `stdout`; everything else goes to `stderr`. */
export class CommandOutput {
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly #stdout: WriteStream;
  readonly #stderr: WriteStream;
  #hasWritten = false;
  #hasFailed = false;

  constructor(
    format: OutputFormat,
    quiet: boolean,
    stdout: WriteStream = process.stdout,
    stderr: WriteStream = process.stderr,
  ) {
    this.format = format;
    this.quiet = quiet;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Writes a notice that is not part of the result. Notices are suppressed by --quiet. */
  readonly notice = (text: string) => {
    if (!this.quiet) this.#stderr.write(`${sanitizeText(text)}\n`);
  };

  /** Writes an error to stderr. Also writes it to stdout as a JSON document, unless stdout already contains one. */
  error(error: ErrorValue): void {
    this.#stderr.write(`${sanitizeLine(formatError(error))}\n`);
    if ((this.format !== 'json' && this.format !== 'ndjson') || this.#hasWritten) return;
    this.#hasWritten = true;
    this.#stdout.write(`${toJson(toErrorDocument(error), this.format === 'json' ? 2 : undefined)}\n`);
  }

  /**
   * Writes raw text to stdout. Discards the text after a failed write, for example if `head` has closed the pipe, so
   * that the command still completes with its own exit code.
   */
  async write(text: string): Promise<void> {
    this.#hasWritten = true;
    if (this.#hasFailed) return;
    const hasRoom = this.#stdout.write(text, (error) => {
      if (error) this.#hasFailed = true;
    });
    // `once` rejects if the stream fails.
    if (!hasRoom) await once(this.#stdout, 'drain').catch(() => undefined);
  }

  /** Writes a single result, either as JSON or as lines of text. */
  async document(value: unknown, lines: () => TextLines): Promise<void> {
    if (this.format === 'json') await this.write(`${toJson(value, 2)}\n`);
    else if (this.format === 'ndjson') await this.write(`${toJson(value)}\n`);
    else await this.write([...flattenTextLines(lines()).map(sanitizeText), ''].join('\n'));
  }

  /** Writes a list one page at a time. */
  async list<Row, Page extends ListOutputPage<Row>>(list: ListOutput<Row, Page>): Promise<void> {
    if (this.format === 'table') return this.#writeTable(list);
    if (this.format === 'json') return this.#writeJsonList(list);
    const { pages } = list;
    const fields = typeof list.fields === 'function' ? Object.keys((await list.fields()).shape) : list.fields;
    if (this.format === 'csv') await this.write(formatCsvRow(fields));
    for await (const page of pages) {
      for (const row of page.rows) {
        await this.write(this.format === 'csv' ? this.#toCsvText(fields, row) : `${toJson(row)}\n`);
      }
      if (this.#hasFailed) return;
    }
  }

  /** Returns a row as CSV. Replaces unprintable characters on a terminal, but not in a file. */
  #toCsvText<Row>(fields: readonly string[], row: Row): string {
    const text = toCsvRow(fields, row);
    return this.#stdout.isTTY ? sanitizeText(text) : text;
  }

  async #writeTable<Row, Page extends ListOutputPage<Row>>({
    columns,
    pages,
    footer,
    empty,
  }: ListOutput<Row, Page>) {
    const width = (this.#stdout.isTTY && this.#stdout.columns) || Number.POSITIVE_INFINITY;
    let first: Page | undefined;
    let next: string | null = null;
    let shown = 0;
    let hidden: readonly string[] = [];
    for await (const page of pages) {
      first ??= page;
      next = page.next;
      shown += page.rows.length;
      if (page.rows.length === 0) continue;
      const table = formatTable(columns, page.rows, width);
      await this.write(`${table.lines.join('\n')}\n`);
      hidden = table.hiddenHeaders;
      if (this.#hasFailed) return;
    }
    if (hidden.length > 0) this.notice(`Terminal too narrow. Hidden columns: ${hidden.join(', ')}.`);
    const lastLine = shown === 0 ? empty : first && footer?.(shown, first, next);
    if (lastLine !== undefined) this.notice(lastLine);
  }

  /** Writes each page as it arrives, so that a list of any length needs only the memory of one page. */
  async #writeJsonList<Row, Page extends ListOutputPage<Row>>({ pages }: ListOutput<Row, Page>) {
    let pageFields: Record<string, unknown> | undefined;
    let separator = '\n';
    for await (const { rows, ...fields } of pages) {
      if (pageFields === undefined) await this.write('{"rows":[');
      pageFields = { ...fields, ...pageFields, next: fields.next };
      for (const row of rows) {
        await this.write(`${separator}${toJson(row)}`);
        separator = ',\n';
      }
      if (this.#hasFailed) return;
    }
    await this.write(`\n],${toJson({ next: null, ...pageFields }).slice(1)}\n`);
  }
}

const toJson = (value: unknown, indent?: number) => escapeUnprintable(JSON.stringify(value, null, indent));

function toCsvRow<Row>(fields: readonly string[], row: Row): string {
  const cells = row as Record<string, unknown>;
  return formatCsvRow(fields.map((field) => cells[field]));
}
