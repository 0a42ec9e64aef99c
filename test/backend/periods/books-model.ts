import { expect } from 'vitest';
import type { ReadableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { TestStatement } from './period-bench.ts';

export const PERIODS = ['2026-10', '2026-11', '2026-12'] as const;
const lastDays = new Map([
  ['2026-10', '2026-10-31'],
  ['2026-11', '2026-11-30'],
  ['2026-12', '2026-12-31'],
]);
const next = new Map([
  ['2026-10', '2026-11'],
  ['2026-11', '2026-12'],
  ['2026-12', '2027-01'],
]);

export type ModelStatement = TestStatement;

/** Row of the books with its own date and the date on which it counts. */
interface ModelRow {
  ownDate: string;
  posted: string;
  /** Content of the row, which is fixed when it is signed. */
  content: string;
}

interface ClosedPeriod {
  from: string;
  until: string;
  statements: Map<number, number>;
  payments: Map<number, number>;
  json?: string;
  /** Lists of the period's report before it was signed. */
  lists?: unknown;
}

const laterDate = (one: string, other: string): string => (one > other ? one : other);

/** Simple model of the books: sets of rows, their dates, and which periods are locked. */
export class BooksModel {
  readonly states = new Map<string, string>();
  readonly service = new Map<number, ModelStatement>();
  /** Date of every statement that has ever existed. */
  readonly days = new Map<number, string>();
  readonly signed = new Map<string, ClosedPeriod>();
  lines = new Map<number, ModelRow & { import: number }>();
  payments = new Map<number, ModelRow & { cents: number }>();
  groups = new Map<number, ModelRow>();
  imports: number[] = [];

  constructor(statements: readonly ModelStatement[]) {
    for (const each of statements) this.setStatement(each.id, each);
  }

  setStatement(id: number, statement: ModelStatement | null): void {
    if (statement === null) this.service.delete(id);
    else {
      this.service.set(id, statement);
      this.days.set(id, statement.on);
    }
  }

  closed(): string[] {
    return PERIODS.filter((period) => this.states.get(period) === 'closed');
  }

  lockedUntil(): string | null {
    return lastDays.get(this.closed().at(-1) ?? '') ?? null;
  }

  /** Returns the first date that is not locked. */
  getFirstOpenDate(): string {
    const last = this.closed().at(-1);
    return last === undefined ? '' : `${next.get(last)}-01`;
  }

  getDuePeriod(): string | null {
    return PERIODS.find((period) => this.states.get(period) === 'open') ?? null;
  }

  canOpen(period: string): boolean {
    return !this.states.has(period) && period > (this.closed().at(-1) ?? '');
  }

  /**
   * Returns true if the period can be submitted: it is open and either follows a closed period or is the first open one.
   */
  canSign(period: string): boolean {
    const last = this.closed().at(-1);
    const first = PERIODS.find((each) => this.states.has(each) && this.states.get(each) !== 'closed');
    const due = last === undefined ? first : next.get(last);
    return this.states.get(period) === 'open' && due !== undefined && due >= period;
  }

  canReopen(period: string): boolean {
    return this.states.get(period) === 'closed' && this.closed().at(-1) === period;
  }

  close(period: string): void {
    const from = this.getFirstOpenDate();
    this.states.set(period, 'closed');
    const until = lastDays.get(period)!;
    const within = (day: string) => day >= from && day <= until;
    this.signed.set(period, {
      from,
      until,
      statements: new Map(
        [...this.service.values()].filter((each) => within(each.on)).map((each) => [each.id, each.cents]),
      ),
      payments: new Map(
        [...this.payments].filter(([, row]) => within(row.posted)).map(([id, row]) => [id, row.cents]),
      ),
    });
  }

  reopen(period: string): void {
    this.states.set(period, 'open');
    this.signed.delete(period);
    const until = this.lockedUntil() ?? '';
    const first = this.getFirstOpenDate();
    for (const rows of [this.lines, this.payments, this.groups]) {
      for (const row of rows.values()) if (row.posted > until) row.posted = laterDate(row.ownDate, first);
    }
  }

  /** Asserts that locked rows are unchanged, and assigns new rows to their own date or to the first open one. */
  readBooks(books: ReadableDb): void {
    const until = this.lockedUntil() ?? '';
    const take = <Known extends ModelRow>(
      known: Map<number, Known>,
      now: Map<number, Known & { counts: string }>,
      what: string,
    ) => {
      for (const [id, row] of known) {
        if (row.posted > until || row.posted === '') continue;
        expect([what, id, now.get(id)?.content], 'what is locked stays').toEqual([what, id, row.content]);
      }
      const rows = new Map<number, Known>();
      for (const [id, row] of now) {
        const before = known.get(id);
        const posted = before?.posted ?? laterDate(row.ownDate, this.getFirstOpenDate());
        expect([what, id, row.counts], 'the day it counts on').toEqual([what, id, posted]);
        rows.set(id, { ...row, posted });
      }
      return rows;
    };
    this.payments = take(this.payments, readPayments(books), 'payment');
    this.lines = take(this.lines, readLines(books), 'line');
    this.groups = take(this.groups, readMatches(books), 'match');
    this.imports = books
      .prepare<[], number>("SELECT id FROM bank_import WHERE state = 'done' ORDER BY id")
      .pluck()
      .all();
  }

  predictUndo(pick: number): string | null {
    const ids = [...this.groups.keys()].sort((a, b) => a - b);
    return this.groups.get(ids[pick % ids.length]!)!.posted <= (this.lockedUntil() ?? '')
      ? 'period_locked'
      : null;
  }

  predictRemoval(pick: number): string | null {
    const id = this.imports[pick % this.imports.length];
    const until = this.lockedUntil() ?? '';
    const isLocked = [...this.lines.values()].some((line) => line.import === id && line.posted <= until);
    return isLocked ? 'period_locked' : null;
  }

  /** Returns the changes of a closed period since its sign-off. */
  signOffChanges(period: string): string[] {
    const { from, until, statements, payments } = this.signed.get(period)!;
    const within = (day: string) => day >= from && day <= until;
    const changes: string[] = [];
    for (const [id, cents] of statements) {
      const now = this.service.get(id);
      if (now === undefined) changes.push(`statement ${id} removed`);
      else if (now.cents !== cents) changes.push(`statement ${id} changed`);
    }
    for (const { id, on } of this.service.values()) {
      if (within(on) && !statements.has(id)) changes.push(`statement ${id} added`);
    }
    for (const [id, cents] of payments) {
      const now = this.service.get(id / 10);
      if (now === undefined) changes.push(`payment ${id} removed`);
      else if (now.cents !== cents) changes.push(`payment ${id} changed`);
    }
    for (const [what, rows] of [
      ['payment', this.payments],
      ['line', this.lines],
    ] as const) {
      for (const [id, { ownDate, posted }] of rows) {
        if (posted !== ownDate && within(ownDate)) changes.push(`${what} ${id} added`);
      }
    }
    return changes.sort();
  }
}

type StoredRows<Known extends ModelRow> = Map<number, Known & { counts: string }>;

const late = (kind: string, table: string, day: string) =>
  `coalesce((SELECT posted_on FROM late_row WHERE kind = '${kind}' AND id = ${table}.id), ${day})`;

function readLines(books: ReadableDb): StoredRows<ModelRow & { import: number }> {
  return new Map(
    books
      .prepare<[], { id: number; import: number; ownDate: string; counts: string; content: string }>(
        `SELECT id, import_id AS import, booked_on AS ownDate, ${late('line', 'bank_line', 'booked_on')} AS counts,
           booked_on || ' ' || amount_in_cents || ' ' || description || ' ' || import_id AS content FROM bank_line WHERE removed = 0`,
      )
      .all()
      .map((row) => [row.id, { ...row, posted: '' }]),
  );
}

function readPayments(books: ReadableDb): StoredRows<ModelRow & { cents: number }> {
  return new Map(
    books
      .prepare<[], { id: number; cents: number; ownDate: string; counts: string; content: string }>(
        `SELECT id, amount_in_cents AS cents, paid_on AS ownDate, ${late('payment', 'match_payment', 'paid_on')} AS counts,
           paid_on || ' ' || amount_in_cents AS content FROM match_payment WHERE removed = 0`,
      )
      .all()
      .map((row) => [row.id, { ...row, posted: '' }]),
  );
}

/** Returns the confirmed matches, each with the latest date of its members. */
function readMatches(books: ReadableDb): StoredRows<ModelRow> {
  return new Map(
    books
      .prepare<[], { id: number; ownDate: string; counts: string; content: string }>(
        `SELECT g.id, max(coalesce(booked_on, paid_on)) AS ownDate,
           (SELECT cleared_on FROM match_cleared WHERE group_id = g.id) AS counts,
           g.rule || ' ' || group_concat(coalesce('l' || line_id, 't' || transaction_id, category) || ' ' || allocated_in_cents) AS content
         FROM match_group AS g JOIN match_item ON group_id = g.id LEFT JOIN bank_line ON bank_line.id = line_id
           LEFT JOIN match_payment ON match_payment.id = transaction_id
         WHERE g.status = 'confirmed' GROUP BY g.id`,
      )
      .all()
      .map((row) => [row.id, { ...row, posted: '' }]),
  );
}
