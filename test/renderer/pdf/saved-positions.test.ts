import { afterEach, expect, test, vi } from 'vitest';
import { debounceSavePosition, getSavedPosition } from '../../../src/renderer/pdf/saved-positions.ts';

const positionAt = (page: number) => ({ page, scale: 1, rotation: 0 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('opening another file stores the position of the previous one immediately', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  debounceSavePosition('a', positionAt(1));
  debounceSavePosition('a', positionAt(7));
  expect(getSavedPosition('a')).toBeNull();
  debounceSavePosition('b', positionAt(2));
  expect(getSavedPosition('a')).toEqual(positionAt(7));
  vi.runAllTimers();
  expect([getSavedPosition('a'), getSavedPosition('b')]).toEqual([positionAt(7), positionAt(2)]);
});
