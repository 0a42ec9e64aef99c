import { afterEach, expect, test, vi } from 'vitest';
import { keepPlace, placeIn } from '../../../src/renderer/pdf/places.ts';

const at = (page: number) => ({ page, scale: 1, rotation: 0 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a file that is left for another one is remembered where it was left, however soon that was', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  keepPlace('a', at(1));
  keepPlace('a', at(7));
  expect(placeIn('a')).toBeNull();
  keepPlace('b', at(2));
  expect(placeIn('a')).toEqual(at(7));
  vi.runAllTimers();
  expect([placeIn('a'), placeIn('b')]).toEqual([at(7), at(2)]);
});
