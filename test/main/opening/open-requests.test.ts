import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import { expect, test } from 'vitest';
import { receiveOpenRequests } from '../../../src/main/opening/open-requests.ts';
import { createEvent } from '../../doubles/electron.ts';

/** Emits an event as macOS does. Returns true if the app handles it. */
function emitRequest(app: EventEmitter, name: 'open-file' | 'open-url', argument: string): boolean {
  const event = createEvent();
  app.emit(name, event, argument);
  return event.prevented;
}

test('files and links are opened in order, also those from before the start', async () => {
  const app = new EventEmitter();
  const openRequestsWith = receiveOpenRequests(app as App);
  const opened: string[] = [];
  expect(emitRequest(app, 'open-file', '/data/a.csv')).toBe(true);
  expect(emitRequest(app, 'open-url', 'tieout://open/demo/bank')).toBe(true);
  await Promise.resolve();
  expect(opened).toEqual([]);
  openRequestsWith((argument) => opened.push(argument));
  await expect.poll(() => opened).toEqual(['/data/a.csv', 'tieout://open/demo/bank']);
  expect(emitRequest(app, 'open-file', '/data/pack.zip')).toBe(true);
  await expect.poll(() => opened).toHaveLength(3);
});
