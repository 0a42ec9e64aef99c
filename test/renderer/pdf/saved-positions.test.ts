import { afterEach, expect, test, vi } from 'vitest';
import { getSavedPdfPosition, savePdfPositionDebounced } from '../../../src/renderer/pdf/saved-positions.ts';

const positionAt = (page: number) => ({ page, scale: 1, rotation: 0 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('opening another file stores the position of the previous one immediately', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  savePdfPositionDebounced('a', positionAt(1));
  savePdfPositionDebounced('a', positionAt(7));
  expect(getSavedPdfPosition('a')).toBeNull();
  savePdfPositionDebounced('b', positionAt(2));
  expect(getSavedPdfPosition('a')).toEqual(positionAt(7));
  vi.runAllTimers();
  expect([getSavedPdfPosition('a'), getSavedPdfPosition('b')]).toEqual([positionAt(7), positionAt(2)]);
});
