import { afterEach, expect, test, vi } from 'vitest';
import {
  consumePdfSearchTarget,
  getPdfSearchTarget,
  openPdfFindBarAtMatch,
} from '../../../src/renderer/pdf/pdf-search-state.ts';

afterEach(() => vi.unstubAllGlobals());

test('the target of a text search is consumed once, by the document it belongs to', () => {
  vi.stubGlobal('document', { activeElement: null });
  openPdfFindBarAtMatch({ name: 'statement-2.pdf', at: 'last' }, { words: 'balance' });
  expect(consumePdfSearchTarget('statement-1.pdf')).toBeNull();
  expect(getPdfSearchTarget('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumePdfSearchTarget('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(consumePdfSearchTarget('statement-2.pdf')).toBeNull();
});
