import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createOffsetReader,
  inferTimeZone,
  readUtcOffset,
} from '../../../src/domain/ledger/service-time-zone.ts';

const sample = (text: string) => ({ at: Date.parse(text), offset: readUtcOffset(text) ?? '' });

test.each([
  ['2026-10-07T14:02:11-05:00', '-05:00'],
  ['2026-10-07 14:02:11 +0530', '+05:30'],
  ['2026-10-07T14:02:11Z', '+00:00'],
  ['2026-10-07T14:02:11-00:00', '+00:00'],
  ['2026-10-07', null],
  ['soon', null],
])('the offset of %s is %s', (text, offset) => expect(readUtcOffset(text)).toBe(offset));

test.each([
  [['2026-07-01T10:00:00-04:00'], 'America/New_York'],
  [['2026-07-01T10:00:00-07:00', '2026-01-01T10:00:00-08:00'], 'America/Los_Angeles'],
  [['2026-07-01T10:00:00+01:00', '2026-12-01T10:00:00+00:00'], 'Europe/London'],
  [['2026-07-01T10:00:00Z', '2026-12-01T10:00:00Z'], 'UTC'],
  [['2026-07-01T10:00:00+11:17', '2026-08-01T10:00:00+11:18'], '+11:18'],
  [[], null],
] as const)('times like %j are in the zone %s', (texts, zone) =>
  expect(inferTimeZone(texts.map(sample))).toBe(zone),
);

test('a zone without daylight saving time is found among less common zones', () => {
  const texts = ['2026-07-01T10:00:00-07:00', '2026-01-01T10:00:00-07:00'];
  const offsetAt = createOffsetReader(inferTimeZone(texts.map(sample)) ?? '');
  expect([offsetAt(Date.UTC(2026, 3, 1)), offsetAt(Date.UTC(2026, 11, 1))]).toEqual(['-07:00', '-07:00']);
});

test('an earlier result that still fits is returned without a search', () => {
  const construct = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => void construct.mockRestore());
  const count = (texts: string[], earlier: string) => {
    construct.mockClear();
    const zone = inferTimeZone(texts.map(sample), earlier);
    return { zone, formats: construct.mock.calls.length };
  };
  const tokyo = ['2026-07-01T10:00:00+09:00', '2026-01-01T10:00:00+09:00'];
  expect(count(tokyo, 'Asia/Tokyo')).toEqual({ zone: 'Asia/Tokyo', formats: 1 });
  // No zone fitted earlier samples, so none can fit these as well.
  expect(count(['2026-07-01T10:00:00+11:17', '2026-07-02T10:00:00+11:18'], '+11:17')).toEqual({
    zone: '+11:18',
    formats: 0,
  });
  expect(count(['2026-07-01T10:00:00-03:00'], 'Europe/Paris').zone).not.toBe('Europe/Paris');
});

test('the offset of a zone that is an offset needs no support by the browser', () => {
  const construct = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => void construct.mockRestore());
  expect(createOffsetReader('-03:30')(0)).toBe('-03:30');
  expect(construct).not.toHaveBeenCalled();
});
