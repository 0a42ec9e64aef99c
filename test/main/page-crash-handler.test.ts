import { beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { AUTOMATIC_RELOAD_LIMIT, createPageCrashHandler } from '../../src/main/page-crash-handler.ts';

let actions: string[];
let logRecords: LogRecord[];
let now: number;
let windowExists: boolean;
let answer: boolean;
let handleExit: (reason: string) => Promise<void>;

beforeEach(() => {
  [actions, logRecords, now, windowExists, answer] = [[], [], 0, true, true];
  handleExit = createPageCrashHandler({
    log: (record) => void logRecords.push(record),
    now: () => now,
    isWindowOpen: () => windowExists,
    reload: () => void actions.push('reload'),
    askToTryAgain: async () => {
      actions.push('ask');
      return answer;
    },
    quit: () => void actions.push('quit'),
  });
});

const crashRepeatedly = async (times: number) => {
  for (let time = 0; time < times; time += 1) await handleExit('crashed');
};

test('reloads a crashing page up to the limit, then asks; trying again resets the count', async () => {
  await crashRepeatedly(AUTOMATIC_RELOAD_LIMIT.times);
  expect(actions).toEqual(['reload', 'reload', 'reload']);
  await handleExit('oom');
  expect(actions.slice(3)).toEqual(['ask', 'reload']);
  await crashRepeatedly(AUTOMATIC_RELOAD_LIMIT.times - 1);
  expect(actions.slice(5)).toEqual(['reload', 'reload']);
  answer = false;
  await handleExit('crashed');
  expect(actions.slice(7)).toEqual(['ask', 'quit']);
  expect(logRecords.every(({ level }) => level === 'error')).toBe(true);
});

test('always reloads a page that crashes rarely', async () => {
  for (let day = 0; day < 20; day += 1) {
    now += AUTOMATIC_RELOAD_LIMIT.withinMs / AUTOMATIC_RELOAD_LIMIT.times + 1;
    await handleExit('killed');
  }
  expect(actions).toEqual(Array.from({ length: 20 }, () => 'reload'));
});

test('ignores a clean exit', async () => {
  for (let time = 0; time < 5; time += 1) await handleExit('clean-exit');
  expect(actions).toEqual([]);
  expect(logRecords).toEqual(
    Array.from({ length: 5 }, () => expect.objectContaining({ level: 'info' }) as object),
  );
  await crashRepeatedly(1);
  expect(actions).toEqual(['reload']);
});

test('does nothing for a window that is closed, even while asking', async () => {
  await crashRepeatedly(AUTOMATIC_RELOAD_LIMIT.times);
  windowExists = false;
  await handleExit('crashed');
  expect(actions).not.toContain('ask');
  windowExists = true;
  const pendingExit = handleExit('crashed');
  windowExists = false;
  await pendingExit;
  expect(actions.slice(3)).toEqual(['ask']);
});
