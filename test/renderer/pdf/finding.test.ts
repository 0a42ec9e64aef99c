import { afterEach, expect, test, vi } from 'vitest';
import { arrivalOf, arriveAt, takeArrival } from '../../../src/renderer/pdf/finding.ts';

afterEach(() => vi.unstubAllGlobals());

test('an arrival waits for its own document, and is taken up once', () => {
  vi.stubGlobal('document', { activeElement: null });
  arriveAt({ name: 'statement-2.pdf', at: 'last' }, 'balance');
  expect(takeArrival('statement-1.pdf')).toBeNull();
  expect(arrivalOf('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(takeArrival('statement-2.pdf')).toMatchObject({ at: 'last' });
  expect(takeArrival('statement-2.pdf')).toBeNull();
});
