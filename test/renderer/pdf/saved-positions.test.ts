import { afterEach, expect, test, vi } from 'vitest';
import { savedPosition, savePositionSoon } from '../../../src/renderer/pdf/saved-positions.ts';

const at = (page: number) => ({ page, scale: 1, rotation: 0 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('opening another file stores the position of the previous one immediately', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  savePositionSoon('a', at(1));
  savePositionSoon('a', at(7));
  expect(savedPosition('a')).toBeNull();
  savePositionSoon('b', at(2));
  expect(savedPosition('a')).toEqual(at(7));
  vi.runAllTimers();
  expect([savedPosition('a'), savedPosition('b')]).toEqual([at(7), at(2)]);
});
