import { afterEach, expect, test, vi } from 'vitest';
import {
  consumeFindTarget,
  getFindTarget,
  openFindBarAtMatch,
} from '../../../src/renderer/pdf/find-state.ts';

afterEach(() => vi.unstubAllGlobals());

test('the target of a text search is consumed once, by the document it belongs to', () => {
  vi.stubGlobal('document', { activeElement: null });
  openFindBarAtMatch({ name: 'statement-2.pdf', at: 'last' }, 'balance');
  expect(consumeFindTarget('statement-1.pdf')).toBeNull();
  expect(getFindTarget('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumeFindTarget('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumeFindTarget('statement-2.pdf')).toBeNull();
});
