import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MatchInput, type MatchingResult, runMatching } from '../../src/domain/matching/index.ts';
import { bankDataErrors } from './bank-data-errors.ts';
import { createBankTrapData } from './bank-trap-data.ts';
import { createLabeledData, type LabeledData } from './labeled-bank-data.ts';
import { computeMatchQuality, judgeMatchGroups } from './match-quality.ts';
import { getRelativeSpread, getShortestTime, measureTime, reportMeasurement } from './measure.ts';
import { runChild } from './run-child.ts';
import { matchInThreePasses } from './three-passes.ts';

/**
 * Matches labeled data: quality, time compared with three simple passes in the same run, memory of a process that streams
 * its rows, and growth of the time to a million rows. `node test/bench/match.ts [payments] [growth]`. A growth of 1 skips
 * the million.
 */

const PAYMENTS = Number(process.argv[2] ?? 100_000);
const GROWTH = Number(process.argv[3] ?? 10);
const TURNS = 3;
/** Flags of processes that hold a million rows as objects. */
const ENOUGH_HEAP = ['--max-old-space-size=8192'];
const [, , mode, file, times] = process.argv;

/** A complete run: matches, and reads every group. */
function matchInput(input: MatchInput): { matching: MatchingResult; groups: number } {
  const matching = runMatching(input);
  let groups = 0;
  for (const group of matching.groups()) if (group.lines.length > 0) groups++;
  return { matching, groups };
}

function measureMatchQuality(name: string, data: LabeledData): void {
  const { confirmed, unique, wrong, recall, unmarked } = computeMatchQuality(
    data,
    runMatching(data).groups(),
  );
  const plain = countBaselineMatches(data);
  const most = Math.min(1, plain.right / unique);
  const lines = data.lines.length;
  reportMeasurement(`${name}: wrong among the confirmed`, 'groups', wrong.length, plain.wrong, confirmed, 0);
  reportMeasurement(`${name}: recall of what can be told`, 'share', recall, most, unique, 0);
  reportMeasurement(`${name}: cannot be told, and not marked so`, 'lines', unmarked.length, 0, lines, 0);
}

/** Result of three simple passes. */
function countBaselineMatches(data: LabeledData): { wrong: number; right: number } {
  const found = matchInThreePasses(data.payments, data.lines, { from: -1, to: data.longestLag });
  const right = [...found].filter(
    ([line, payment]) => data.truth.get(line)?.includes(payment) === true,
  ).length;
  return { wrong: found.size - right, right };
}

function measureSpeed(): void {
  const data = createLabeledData({ payments: PAYMENTS });
  const ours: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    plain.push(
      measureTime(() => matchInThreePasses(data.payments, data.lines, { from: -1, to: data.longestLag }))[0],
    );
    ours.push(measureTime(() => matchInput(data))[0]);
  }
  const name = `match ${data.payments.length} payments and ${data.lines.length} lines, against three plain passes`;
  reportMeasurement(
    name,
    'ms',
    getShortestTime(ours),
    getShortestTime(plain),
    TURNS,
    getRelativeSpread(ours),
  );
}

/** In a separate process that keeps no rows, as if they were read from a database. */
function measureMemory(name: string, payments: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-match-'));
  try {
    runChild(import.meta.url, ['write', folder, String(payments)], ENOUGH_HEAP);
    const { before, peak, groups } = runChild<Streamed>(import.meta.url, ['streamed', folder]);
    const what = `memory with streamed rows, ${groups} groups read; against an idle process`;
    reportMeasurement(`${name}: ${what}`, 'MB', peak, before, 1, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeRows(folder: string, payments: number): void {
  const data = createLabeledData({ payments });
  for (const [table, rows] of [
    ['payments', data.payments],
    ['lines', data.lines],
  ] as const) {
    const out = openSync(join(folder, table), 'w');
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
  process.stdout.write('{}');
}

interface Streamed {
  readonly before: number;
  readonly peak: number;
  readonly groups: number;
}

function streamMatching(folder: string): void {
  const before = process.memoryUsage.rss() / 2 ** 20;
  const { groups } = matchInput({
    accounts: createLabeledData({ payments: 1 }).accounts,
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
function measureGrowth(): void {
  const { status } = spawnSync(
    process.execPath,
    [...ENOUGH_HEAP, fileURLToPath(import.meta.url), 'growth', String(PAYMENTS * GROWTH), String(GROWTH)],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}

function grown(payments: number, times: number): void {
  const small = createLabeledData({ payments: payments / times });
  const [first] = measureTime(() => matchInput(small));
  const [again] = measureTime(() => matchInput(small));
  const large = createLabeledData({ payments });
  const [ms, { matching }] = measureTime(() => matchInput(large));
  reportMeasurement(
    `match ${payments} payments, against a ${times}th of them`,
    'ms',
    ms,
    getShortestTime([first, again]),
    1,
    0,
  );
  const { wrong, confirmed } = judgeMatchGroups(large, matching.groups());
  reportMeasurement(
    `${payments} payments: wrong among the confirmed`,
    'groups',
    wrong.length,
    0,
    confirmed,
    0,
  );
}

if (mode === 'streamed' && file !== undefined) streamMatching(file);
else if (mode === 'write' && file !== undefined) writeRows(file, Number(times));
else if (mode === 'growth') grown(Number(file), Number(times));
else {
  measureMatchQuality('subscriptions', createLabeledData({ payments: PAYMENTS }));
  measureMatchQuality(
    'small merchant',
    createLabeledData({ payments: PAYMENTS / 50, foreign: 0.05, missing: 0.05, longestLag: 9 }),
  );
  measureMatchQuality('through a processor', createLabeledData({ payments: PAYMENTS / 5, processor: 0.5 }));
  measureMatchQuality('made to mislead', createBankTrapData({ payments: PAYMENTS / 10 }));
  for (const [name, make] of bankDataErrors) measureMatchQuality(name, make(PAYMENTS / 5, 3));
  measureSpeed();
  measureMemory(`matching ${PAYMENTS} payments`, PAYMENTS);
  if (GROWTH > 1) {
    measureGrowth();
    measureMemory('matching ten times the payments', PAYMENTS * GROWTH);
  }
}
