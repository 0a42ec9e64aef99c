import { expect, test } from 'vitest';
import { standing } from '../../src/cli/words/standing.ts';
import type { ErrorValue, Outputs } from '../../src/contract/index.ts';

type Status = Outputs['sync']['status'];

const AT = '2026-11-01T12:00:00.000Z';
const done: NonNullable<Status['last']> = { at: AT, ok: true, error: null, state: 'done', complete: true };
const away: ErrorValue = { code: 'network', message: 'The service does not answer.', retryable: true };
const part = { held: 5, expected: 6, synced_at: AT, newest_at: AT, complete: true, problems: 0 };
const webhooks = { ...part, part: 'webhooks' as const };
const pdf = { ...part, part: 'pdf' as const, complete: false };
const status = (change: Partial<Status>): Status => ({
  ...{ site: 'acme', complete: true, last: done, running: null, parts: [webhooks, pdf] },
  ...change,
});

test.each<[string, Partial<Status>, string]>([
  ['never', { complete: false, last: null }, 'Not synced yet. Fetch it with: tieout sync --site acme'],
  ['running', { running: 'j' }, 'A sync is running.'],
  [
    'complete',
    {},
    'Complete: everything the service has is held here. Look for what is new with: tieout sync --site acme',
  ],
  [
    'a row that cannot be read',
    { parts: [{ ...webhooks, problems: 1 }, pdf] },
    'Complete: everything the service has is held here; what could not be read of it is named above. Look for what is new with: tieout sync --site acme',
  ],
  [
    'PDFs that could not be had',
    { parts: [webhooks, { ...pdf, problems: 2 }] },
    'Complete, but for the PDFs named above. Ask for them again with: tieout sync --site acme --only pdf',
  ],
  [
    'older webhooks left out by choice',
    { parts: [{ ...webhooks, since: '2026-10-15' }, pdf] },
    'Complete, but for webhooks from before 2026-10-15: they were left out. Fetch those too with: tieout sync --site acme --full',
  ],
  [
    'failed units',
    {
      complete: false,
      last: { ...done, complete: false },
      parts: [{ ...webhooks, complete: false, problems: 1 }],
    },
    'Not complete: the service failed on what is named above. Ask for just that again with: tieout sync --site acme',
  ],
  [
    'one part only',
    { complete: false },
    'Not complete: not all parts were asked for yet. Go on with: tieout sync --site acme',
  ],
  [
    'offline',
    { last: { ...done, ok: false, state: 'failed', error: away, complete: false } },
    'The last sync did not succeed: The service does not answer. What was held before it is here as it was. Try again with: tieout sync --site acme',
  ],
  [
    'cancelled',
    { complete: false, last: { ...done, ok: false, state: 'cancelled', complete: false } },
    'Not complete: the last sync was cancelled before its end. Go on where it stopped with: tieout sync --site acme',
  ],
  [
    'cut off when nothing was left',
    { last: { ...done, ok: false, state: 'interrupted', complete: false } },
    'Complete. The last sync was cut off; look for what is new with: tieout sync --site acme',
  ],
])('what status says in the end: %s', (_, change, said) => {
  expect(standing(status(change))).toBe(said);
});
