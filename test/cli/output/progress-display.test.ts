import { describe, expect, test } from 'vitest';
import {
  createProgressDisplay,
  formatProgress,
  formatProgressBar,
} from '../../../src/cli/output/progress-display.ts';
import type { Job } from '../../../src/contract/app/jobs.ts';

const job: Job = {
  id: 'j1',
  site: 'acme',
  kind: 'sync',
  state: 'running',
  started_at: '2026-11-01T06:00:00Z',
  ended_at: null,
  progress: [
    { part: 'webhooks', done: 15_000, total: 20_000, failed: 0, current: null },
    { part: 'statements', done: 12, total: null, failed: 1, current: 'statement 12' },
  ],
  rate: 340.4,
  remaining_ms: 14_700,
  summary: null,
  error: null,
};

function createRecordingStream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 200, written, write: (text: string) => written.push(text) };
}

describe('progress display', () => {
  test('shows counts, rate and remaining time', () => {
    expect(formatProgress(job)).toBe('webhooks 15,000/20,000, statements 12 (1 failed), 340/s, 15 s left');
    expect(formatProgressBar(job)).toBe(
      '███████████████░░░░░  webhooks 15,000/20,000  statements 12 (1 failed)  340/s  15 s left  statement 12',
    );
  });

  test('redraws one line on a terminal and erases it at the end', () => {
    const terminal = createRecordingStream(true);
    const display = createProgressDisplay(false, terminal);
    display.show(job);
    display.show(job);
    display.end();
    expect(terminal.written).toHaveLength(3);
    expect(terminal.written.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(
      true,
    );
    expect(terminal.written.at(-1)).toBe('\r\u001b[2K');
  });

  test('writes a line every few seconds if the output is not a terminal', () => {
    const file = createRecordingStream(false);
    let now = 0;
    const display = createProgressDisplay(false, file, () => now);
    display.show(job);
    now = 2900;
    display.show({ ...job, rate: 1 });
    now = 3100;
    display.show(job);
    display.show({ ...job, rate: 2 });
    display.end();
    expect(file.written).toEqual([`${formatProgress(job)}\n`, `${formatProgress({ ...job, rate: 2 })}\n`]);
  });

  test('prints nothing with --quiet', () => {
    const terminal = createRecordingStream(true);
    const display = createProgressDisplay(true, terminal);
    display.show(job);
    display.end();
    expect(terminal.written).toEqual([]);
  });

  test('is never wider than the terminal', () => {
    const terminal = { ...createRecordingStream(true), columns: 30 };
    createProgressDisplay(false, terminal).show(job);
    expect(terminal.written[0]!.replace('\r\u001b[2K', '').length).toBeLessThan(30);
  });
});
