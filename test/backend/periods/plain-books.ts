import { expect } from 'vitest';
import type { ReadableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { TestStatement } from './bench.ts';

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

export type PlainStatement = TestStatement;

/** Something of the books, its own day, and the day it counts on. */
interface Row {
  natural: string;
  posted: string;
  /** What it says, which stays once it is signed. */
  content: string;
}

interface Signed {
  from: string;
  until: string;
  statements: Map<number, number>;
  payments: Map<number, number>;
  json?: string;
  /** The lists of its report as they were before it was signed. */
  lists?: unknown;
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** What the books should say, kept as plainly as can be: sets, days, and which are locked. */
export class PlainBooks {
  readonly states = new Map<string, string>();
  readonly service = new Map<number, PlainStatement>();
  /** The day of every statement there ever was. */
  readonly days = new Map<number, string>();
  readonly signed = new Map<string, Signed>();
  lines = new Map<number, Row & { import: number }>();
  payments = new Map<number, Row & { cents: number }>();
  groups = new Map<number, Row>();
  imports: number[] = [];

  constructor(statements: readonly PlainStatement[]) {
    for (const each of statements) this.serve(each.id, each);
  }

  serve(id: number, statement: PlainStatement | null): void {
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

  /** The first day that is not locked. */
  firstOpen(): string {
    const last = this.closed().at(-1);
    return last === undefined ? '' : `${next.get(last)}-01`;
  }

  due(): string | null {
    return PERIODS.find((period) => this.states.get(period) === 'open') ?? null;
  }

  mayOpen(period: string): boolean {
    return !this.states.has(period) && period > (this.closed().at(-1) ?? '');
  }

  /** Whether it can be submitted: it is open, and follows on what is closed, or comes first of what is open. */
  maySign(period: string): boolean {
    const last = this.closed().at(-1);
    const first = PERIODS.find((each) => this.states.has(each) && this.states.get(each) !== 'closed');
    const due = last === undefined ? first : next.get(last);
    return this.states.get(period) === 'open' && due !== undefined && due >= period;
  }

  mayReopen(period: string): boolean {
    return this.states.get(period) === 'closed' && this.closed().at(-1) === period;
  }

  close(period: string): void {
    const from = this.firstOpen();
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
    const first = this.firstOpen();
    for (const rows of [this.lines, this.payments, this.groups]) {
      for (const row of rows.values()) if (row.posted > until) row.posted = later(row.natural, first);
    }
  }

  /** What is locked is as it was; what is new counts on its own day, or on the first that is open. */
  look(books: ReadableDb): void {
    const until = this.lockedUntil() ?? '';
    const take = <Known extends Row>(
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
        const posted = before?.posted ?? later(row.natural, this.firstOpen());
        expect([what, id, row.counts], 'the day it counts on').toEqual([what, id, posted]);
        rows.set(id, { ...row, posted });
      }
      return rows;
    };
    this.payments = take(this.payments, paymentsOf(books), 'payment');
    this.lines = take(this.lines, linesOf(books), 'line');
    this.groups = take(this.groups, groupsOf(books), 'match');
    this.imports = books
      .prepare<[], number>("SELECT id FROM bank_import WHERE state = 'done' ORDER BY id")
      .pluck()
      .all();
  }

  foretellUndo(pick: number): string | null {
    const ids = [...this.groups.keys()].sort((a, b) => a - b);
    return this.groups.get(ids[pick % ids.length]!)!.posted <= (this.lockedUntil() ?? '')
      ? 'period_locked'
      : null;
  }

  foretellRemoval(pick: number): string | null {
    const id = this.imports[pick % this.imports.length];
    const until = this.lockedUntil() ?? '';
    const isLocked = [...this.lines.values()].some((line) => line.import === id && line.posted <= until);
    return isLocked ? 'period_locked' : null;
  }

  /** What the service and the books say otherwise than a closed month was signed. */
  signOffChanges(period: string): string[] {
    const { from, until, statements, payments } = this.signed.get(period)!;
    const within = (day: string) => day >= from && day <= until;
    const found: string[] = [];
    for (const [id, cents] of statements) {
      const now = this.service.get(id);
      if (now === undefined) found.push(`statement ${id} gone`);
      else if (now.cents !== cents) found.push(`statement ${id} changed`);
    }
    for (const { id, on } of this.service.values()) {
      if (within(on) && !statements.has(id)) found.push(`statement ${id} added`);
    }
    for (const [id, cents] of payments) {
      const now = this.service.get(id / 10);
      if (now === undefined) found.push(`payment ${id} gone`);
      else if (now.cents !== cents) found.push(`payment ${id} changed`);
    }
    for (const [what, rows] of [
      ['payment', this.payments],
      ['line', this.lines],
    ] as const) {
      for (const [id, { natural, posted }] of rows) {
        if (posted !== natural && within(natural)) found.push(`${what} ${id} added`);
      }
    }
    return found.sort();
  }
}

type Seen<Known extends Row> = Map<number, Known & { counts: string }>;

const late = (kind: string, table: string, day: string) =>
  `coalesce((SELECT posted_on FROM late_row WHERE kind = '${kind}' AND id = ${table}.id), ${day})`;

function linesOf(books: ReadableDb): Seen<Row & { import: number }> {
  return new Map(
    books
      .prepare<[], { id: number; import: number; natural: string; counts: string; content: string }>(
        `SELECT id, import_id AS import, booked_on AS natural, ${late('line', 'bank_line', 'booked_on')} AS counts,
           booked_on || ' ' || amount_in_cents || ' ' || description || ' ' || import_id AS content FROM bank_line WHERE removed = 0`,
      )
      .all()
      .map((row) => [row.id, { ...row, posted: '' }]),
  );
}

function paymentsOf(books: ReadableDb): Seen<Row & { cents: number }> {
  return new Map(
    books
      .prepare<[], { id: number; cents: number; natural: string; counts: string; content: string }>(
        `SELECT id, amount_in_cents AS cents, paid_on AS natural, ${late('payment', 'match_payment', 'paid_on')} AS counts,
           paid_on || ' ' || amount_in_cents AS content FROM match_payment WHERE removed = 0`,
      )
      .all()
      .map((row) => [row.id, { ...row, posted: '' }]),
  );
}

/** Confirmed matches, each with the latest day of what is in it. */
function groupsOf(books: ReadableDb): Seen<Row> {
  return new Map(
    books
      .prepare<[], { id: number; natural: string; counts: string; content: string }>(
        `SELECT g.id, max(coalesce(booked_on, paid_on)) AS natural,
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
