import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogFile } from '../../src/host/log-file.ts';
import { createRedactor } from '../../src/host/redactor.ts';
import { createTemporaryFolder } from './test-host.ts';

const KEY = 'sk_live/Ab+c$9"d';

test('removes a key in every encoding', () => {
  const redactor = createRedactor();
  redactor.addKey(KEY);
  const basic = Buffer.from(`${KEY}:x`).toString('base64');
  const encodings = [
    KEY,
    JSON.stringify({ key: KEY }),
    encodeURIComponent(KEY),
    basic,
    Buffer.from(KEY).toString('base64url'),
    Buffer.from(KEY).toString('hex'),
    `{"authorization":"Basic ${basic}"}`,
  ];
  for (const form of encodings) {
    const redactText = redactor.redact(`before ${form} after`);
    expect(redactText, form).toMatch(/before .*\[redacted\].* after/);
    expect(redactText).not.toContain(KEY);
    expect(redactText).not.toContain(basic.slice(0, 12));
  }
});

test('removes Basic credentials and tokens of unknown keys', () => {
  const { redact } = createRedactor();
  expect(redact('Authorization: Basic dXNlcjpwYXNz')).toBe('Authorization: Basic [redacted]');
  expect(redact('GET /#t=abcDEF123-_456')).toBe('GET /#t=[redacted]');
  expect(redact('authorization: Bearer abcDEF123-_456')).toBe('authorization: Bearer [redacted]');
});

test('removes any key and its Basic credentials', () => {
  const key = fc.string({ minLength: 8, maxLength: 60, unit: 'binary-ascii' });
  fc.assert(
    fc.property(key, fc.string(), (secret, context) => {
      fc.pre(!context.includes(secret));
      const { addKey, redact } = createRedactor();
      addKey(secret);
      const basic = Buffer.from(`${secret}:x`).toString('base64');
      const line = redact(`${context}|${secret}|${basic}|${context}`);
      return !line.includes(secret) && !line.includes(basic);
    }),
  );
});

test('leaves lines without a key unchanged, and ignores keys of three letters', () => {
  const redactor = createRedactor();
  redactor.addKey('the');
  redactor.addKey(KEY);
  expect(redactor.redact('the statement 12 was read')).toBe('the statement 12 was read');
});

test('writes one JSON object per line, without a key in any field', () => {
  const home = createTemporaryFolder();
  const redactor = createRedactor();
  const file = openLogFile({ home, redactor });
  redactor.addKey(KEY);
  file.log({ level: 'warn', msg: `refused ${KEY}`, nested: { deep: [KEY] }, [KEY]: 1 });
  file.log({ level: 'debug', msg: 'not at this level' });
  file.close();
  const text = readFileSync(file.path, 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain(JSON.stringify(KEY).slice(1, -1));
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ msg: 'refused [redacted]', nested: { deep: ['[redacted]'] } });
});

test('rotates a full log and deletes the oldest', () => {
  const home = createTemporaryFolder();
  const file = openLogFile({ home, redactor: createRedactor(), limit: 2000, keep: 2 });
  for (let line = 0; line < 60; line += 1) file.log({ level: 'info', msg: `line ${line} ${'x'.repeat(80)}` });
  file.close();
  const sizes = ['', '.1', '.2'].map((end) => statSync(file.path + end).size);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(2000);
  expect(existsSync(join(home, 'logs', 'tieout.log.3'))).toBe(false);
  expect(readFileSync(file.path, 'utf8')).toContain('line 59');
});

test('ignores entries after the log is closed', () => {
  const file = openLogFile({ home: createTemporaryFolder(), redactor: createRedactor() });
  file.close();
  expect(() => file.log({ level: 'info', msg: 'late' })).not.toThrow();
});

test('a flood of equal warnings is counted instead of written, and other records remain', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = openLogFile({ home: createTemporaryFolder(), redactor: createRedactor() });
  const flood = (times: number) => {
    for (let time = 0; time < times; time += 1)
      file.log({ level: 'error', msg: 'A frame is invalid.', reason: `text ${time}` });
  };
  flood(5000);
  file.log({ level: 'warn', msg: 'Another warning.' });
  vi.advanceTimersByTime(60_000);
  flood(1);
  flood(40);
  for (let time = 0; time < 100; time += 1) file.log({ level: 'info', msg: 'Synced.' });
  file.close();
  const records = readFileSync(file.path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; times?: number; omitted?: string });
  const count = (wanted: string) => records.filter(({ msg }) => msg === wanted).length;
  expect(count('A frame is invalid.')).toBe(60);
  expect(count('Another warning.')).toBe(1);
  expect(count('Synced.')).toBe(100);
  expect(
    records.filter(({ omitted }) => omitted === 'A frame is invalid.').map(({ times }) => times),
  ).toEqual([4970, 11]);
});
