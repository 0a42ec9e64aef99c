import { beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { AUTOMATIC_RELOADS, createCrashHandler } from '../../src/main/page-crash-handler.ts';

let done: string[];
let logged: LogRecord[];
let now: number;
let there: boolean;
let answer: boolean;
let ended: (reason: string) => Promise<void>;

beforeEach(() => {
  [done, logged, now, there, answer] = [[], [], 0, true, true];
  ended = createCrashHandler({
    log: (record) => void logged.push(record),
    now: () => now,
    isWindowOpen: () => there,
    reload: () => void done.push('reload'),
    askToTryAgain: async () => {
      done.push('ask');
      return answer;
    },
    quit: () => void done.push('quit'),
  });
});

const often = async (times: number) => {
  for (let time = 0; time < times; time += 1) await ended('crashed');
};

test('reloads a crashing page up to the limit, then asks; trying again resets the count', async () => {
  await often(AUTOMATIC_RELOADS.times);
  expect(done).toEqual(['reload', 'reload', 'reload']);
  await ended('oom');
  expect(done.slice(3)).toEqual(['ask', 'reload']);
  await often(AUTOMATIC_RELOADS.times - 1);
  expect(done.slice(5)).toEqual(['reload', 'reload']);
  answer = false;
  await ended('crashed');
  expect(done.slice(7)).toEqual(['ask', 'quit']);
  expect(logged.every(({ level }) => level === 'error')).toBe(true);
});

test('always reloads a page that crashes rarely', async () => {
  for (let day = 0; day < 20; day += 1) {
    now += AUTOMATIC_RELOADS.withinMs / AUTOMATIC_RELOADS.times + 1;
    await ended('killed');
  }
  expect(done).toEqual(Array.from({ length: 20 }, () => 'reload'));
});

test('ignores a clean exit', async () => {
  for (let time = 0; time < 5; time += 1) await ended('clean-exit');
  expect(done).toEqual([]);
  expect(logged).toEqual(
    Array.from({ length: 5 }, () => expect.objectContaining({ level: 'info' }) as object),
  );
  await often(1);
  expect(done).toEqual(['reload']);
});

test('does nothing for a window that is closed, even while asking', async () => {
  await often(AUTOMATIC_RELOADS.times);
  there = false;
  await ended('crashed');
  expect(done).not.toContain('ask');
  there = true;
  const asked = ended('crashed');
  there = false;
  await asked;
  expect(done.slice(3)).toEqual(['ask']);
});
