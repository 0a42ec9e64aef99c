import { afterEach, expect, test, vi } from 'vitest';
import { consumeFindTarget, findTargetFor, openAtMatch } from '../../../src/renderer/pdf/find-state.ts';

afterEach(() => vi.unstubAllGlobals());

test('a find target is consumed once, by its own document', () => {
  vi.stubGlobal('document', { activeElement: null });
  openAtMatch({ name: 'statement-2.pdf', at: 'last' }, 'balance');
  expect(consumeFindTarget('statement-1.pdf')).toBeNull();
  expect(findTargetFor('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumeFindTarget('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumeFindTarget('statement-2.pdf')).toBeNull();
});
