import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MatchInput, type MatchingResult, runMatching } from '../../src/domain/matching/index.ts';
import { mishaps } from './bank-mishaps.ts';
import { trapped } from './bank-traps.ts';
import { type Labeled, labeled } from './bank-truth.ts';
import { judged, verdictOf } from './bank-verdict.ts';
import { saidBy } from './child.ts';
import { best, report, spreadOf, timed } from './measure.ts';
import { threePasses } from './three-passes.ts';

/**
 * Matches labeled data: quality, time compared with three simple passes in the same run, memory of a process that streams
 * its rows, and growth of the time to a million rows. `node test/bench/match.ts [payments] [growth]`. A growth of 1 skips
 * the million.
 */

const PAYMENTS = Number(process.argv[2] ?? 100_000);
const GROWTH = Number(process.argv[3] ?? 10);
const TURNS = 3;
const [, , mode, file, times] = process.argv;

/** A complete run: matches, and reads every group. */
function matched(input: MatchInput): { matching: MatchingResult; groups: number } {
  const matching = runMatching(input);
  let groups = 0;
  for (const group of matching.groups()) if (group.lines.length > 0) groups++;
  return { matching, groups };
}

function quality(name: string, data: Labeled): void {
  const { confirmed, unique, wrong, recall, unmarked } = verdictOf(data, runMatching(data).groups());
  const plain = plainly(data);
  const most = Math.min(1, plain.right / unique);
  const lines = data.lines.length;
  report(`${name}: wrong among the confirmed`, 'groups', wrong.length, plain.wrong, confirmed, 0);
  report(`${name}: recall of what can be told`, 'share', recall, most, unique, 0);
  report(`${name}: cannot be told, and not marked so`, 'lines', unmarked.length, 0, lines, 0);
}

/** Result of three simple passes. */
function plainly(data: Labeled): { wrong: number; right: number } {
  const found = threePasses(data.payments, data.lines, { from: -1, to: data.longestLag });
  const right = [...found].filter(
    ([line, payment]) => data.truth.get(line)?.includes(payment) === true,
  ).length;
  return { wrong: found.size - right, right };
}

function speed(): void {
  const data = labeled({ payments: PAYMENTS });
  const ours: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    plain.push(timed(() => threePasses(data.payments, data.lines, { from: -1, to: data.longestLag }))[0]);
    ours.push(timed(() => matched(data))[0]);
  }
  const name = `match ${data.payments.length} payments and ${data.lines.length} lines, against three plain passes`;
  report(name, 'ms', best(ours), best(plain), TURNS, spreadOf(ours));
}

/** In a separate process that keeps no rows, as if they were read from a database. */
function memory(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-match-'));
  try {
    const data = labeled({ payments: PAYMENTS });
    for (const [name, rows] of [
      ['payments', data.payments],
      ['lines', data.lines],
    ] as const) {
      const out = openSync(join(folder, name), 'w');
      for (let at = 0; at < rows.length; at += 1000) {
        writeSync(
          out,
          `${rows
            .slice(at, at + 1000)
            .map((row) => JSON.stringify(row))
            .join('\n')}\n`,
        );
      }
      closeSync(out);
    }
    const { before, peak, groups } = saidBy<Streamed>(import.meta.url, ['streamed', folder]);
    const name = `memory at the most, rows streamed, ${groups} groups read; against an idle process`;
    report(name, 'MB', peak, before, 1, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Streamed {
  readonly before: number;
  readonly peak: number;
  readonly groups: number;
}

function streamed(folder: string): void {
  const before = process.memoryUsage.rss() / 2 ** 20;
  const { groups } = matched({
    accounts: labeled({ payments: 1 }).accounts,
    payments: rowsOf(join(folder, 'payments')),
    lines: rowsOf(join(folder, 'lines')),
  });
  const peak = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ before, peak, groups }));
}

function* rowsOf<Row>(path: string): Iterable<Row> {
  const input = openSync(path, 'r');
  const bytes = Buffer.alloc(65_536);
  let rest = '';
  for (let read = readSync(input, bytes); read > 0; read = readSync(input, bytes)) {
    const parts = (rest + bytes.toString('latin1', 0, read)).split('\n');
    rest = parts.pop() as string;
    for (const part of parts) yield JSON.parse(part) as Row;
  }
  closeSync(input);
}

/** In a separate process with enough memory for a million rows. */
function growth(): void {
  const { status } = spawnSync(
    process.execPath,
    [
      '--max-old-space-size=8192',
      fileURLToPath(import.meta.url),
      'growth',
      String(PAYMENTS * GROWTH),
      String(GROWTH),
    ],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}

function grown(payments: number, times: number): void {
  const small = labeled({ payments: payments / times });
  const [first] = timed(() => matched(small));
  const [again] = timed(() => matched(small));
  const large = labeled({ payments });
  const [ms, { matching }] = timed(() => matched(large));
  report(`match ${payments} payments, against a ${times}th of them`, 'ms', ms, best([first, again]), 1, 0);
  const { wrong, confirmed } = judged(large, matching.groups());
  report(`${payments} payments: wrong among the confirmed`, 'groups', wrong.length, 0, confirmed, 0);
}

if (mode === 'streamed' && file !== undefined) streamed(file);
else if (mode === 'growth') grown(Number(file), Number(times));
else {
  quality('subscriptions', labeled({ payments: PAYMENTS }));
  quality(
    'small merchant',
    labeled({ payments: PAYMENTS / 50, foreign: 0.05, missing: 0.05, longestLag: 9 }),
  );
  quality('through a processor', labeled({ payments: PAYMENTS / 5, processor: 0.5 }));
  quality('made to mislead', trapped({ payments: PAYMENTS / 10 }));
  for (const [name, make] of mishaps) quality(name, make(PAYMENTS / 5, 3));
  speed();
  memory();
  if (GROWTH > 1) growth();
}
