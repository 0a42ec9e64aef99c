import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { reportErrors } from '../../src/main/report-errors.ts';

function createErrorTest() {
  const [app, process] = [new EventEmitter(), new EventEmitter()];
  const logged: LogRecord[] = [];
  const shown: string[] = [];
  let ends = 0;
  reportErrors({
    app: app as never,
    process: process as never,
    log: (record) => logged.push(record),
    show: (message) => shown.push(message),
    end: () => {
      ends += 1;
    },
  });
  return { app, process, logged, shown, countEnds: () => ends };
}

test.each(['uncaughtException', 'unhandledRejection'])(
  'an %s is logged and shown, and the app ends',
  (name) => {
    const { process, logged, shown, countEnds } = createErrorTest();
    process.emit(name, new Error('no memory left'));
    expect(logged).toMatchObject([
      { level: 'error', reason: expect.stringContaining('no memory left') as string },
    ]);
    expect(shown).toEqual(['Tieout has to close after an unexpected error']);
    expect(countEnds()).toBe(1);
  },
);

test('a helper process that ends is logged each time and shown once', () => {
  const { app, logged, shown, countEnds } = createErrorTest();
  const gone = (reason: string) => app.emit('child-process-gone', {}, { type: 'GPU', reason, exitCode: 139 });
  for (const reason of ['clean-exit', 'crashed', 'launch-failed']) gone(reason);
  expect(logged.map(({ level }) => level)).toEqual(['info', 'error', 'error']);
  expect(shown).toEqual(['Tieout’s GPU process ended unexpectedly']);
  expect(countEnds()).toBe(0);
});
