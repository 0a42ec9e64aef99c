import { afterEach, expect, test, vi } from 'vitest';
import { savedPosition, savePositionSoon } from '../../../src/renderer/pdf/saved-positions.ts';

const positionAt = (page: number) => ({ page, scale: 1, rotation: 0 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('opening another file stores the position of the previous one immediately', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  savePositionSoon('a', positionAt(1));
  savePositionSoon('a', positionAt(7));
  expect(savedPosition('a')).toBeNull();
  savePositionSoon('b', positionAt(2));
  expect(savedPosition('a')).toEqual(positionAt(7));
  vi.runAllTimers();
  expect([savedPosition('a'), savedPosition('b')]).toEqual([positionAt(7), positionAt(2)]);
});
