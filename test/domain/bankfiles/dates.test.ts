import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateText } from '../../../src/domain/bankfiles/values/date-text.ts';
import { detectDateOrder } from '../../../src/domain/bankfiles/values/value-format-detection.ts';
import { addDays } from '../../../src/domain/ledger/index.ts';

describe('a date', () => {
  it.each([
    ['2026-10-03', 'dmy', '2026-10-03'],
    ['2026/10/3', 'mdy', '2026-10-03'],
    ['03.10.2026', 'dmy', '2026-10-03'],
    ['3.10.26', 'dmy', '2026-10-03'],
    ['10/03/2026', 'mdy', '2026-10-03'],
    ['20261003', 'ymd', '2026-10-03'],
    ['03102026', 'dmy', '2026-10-03'],
    ['261003', 'ymd', '2026-10-03'],
    ['3 Oct 2026', 'ymd', '2026-10-03'],
    ['03-OCT-26', 'ymd', '2026-10-03'],
    ['October 3, 2026', 'dmy', '2026-10-03'],
    ['3. Oktober 2026', 'dmy', '2026-10-03'],
    ['3 août 2026', 'dmy', '2026-08-03'],
    ['Sat 3 Oct 2026', 'dmy', '2026-10-03'],
    ['3 de octubre de 2026', 'dmy', '2026-10-03'],
    ['2026-10-03T23:59:59-04:00', 'ymd', '2026-10-03'],
    ['10/03/2026 11:59:59 PM PDT', 'mdy', '2026-10-03'],
    ['2026-10-03 00:00:00 UTC', 'ymd', '2026-10-03'],
    ['31/12/1999', 'dmy', '1999-12-31'],
  ] as const)('%s in the order %s is read as %s, with any time and zone', (text, order, expected) => {
    expect(parseDateText(text, order)).toBe(expected);
  });

  it.each([
    '',
    '2026-02-30',
    '31/02/2026',
    '2026-13-13',
    'tomorrow',
    '46000',
    '2026-10-03x',
    '99/99/9999',
    '1/2/3',
  ])('%j is not a date', (text) => {
    for (const order of ['ymd', 'dmy', 'mdy', 'ydm'] as const) expect(parseDateText(text, order)).toBeNull();
  });
});

describe('the order of day, month and year', () => {
  const samples = (texts: string[]) => texts.map((text, at) => ({ location: `line ${at + 1}`, text }));
  const written = (order: string) => (date: string) => {
    const [y, m, d] = date.split('-');
    return order === 'dmy' ? `${d}/${m}/${y}` : `${m}/${d}/${y}`;
  };

  it('is determined by one unambiguous date', () => {
    expect(detectDateOrder(samples(['03/04/2026', '25/04/2026']), undefined)).toEqual({
      value: 'dmy',
      question: null,
    });
  });

  it('is asked for only if the possible dates differ', () => {
    const asked = detectDateOrder(samples(['03/04/2026', '05/06/2026']), undefined);
    expect(asked.question?.readings.map(({ value }) => value).toSorted()).toEqual(['dmy', 'mdy']);
    expect(detectDateOrder(samples(['04/04/2026', '05/05/2026']), undefined).question).toBeNull();
  });

  it('prefers the order without future dates', () => {
    const asked = detectDateOrder(samples(['01/10/2026', '02/10/2026']), '2026-03-01');
    expect(asked.question?.readings[0]?.value).toBe('mdy');
  });

  it('is asked for if other dates suggest another order, but not because of one typing error', () => {
    const mixed = detectDateOrder(
      samples(['03/04/2026', '25/04/2026', '26/04/2026', '04/27/2026']),
      undefined,
    );
    expect(mixed.question?.readings.map(({ value }) => value)).toEqual(['dmy', 'mdy']);
    expect(mixed.question?.readings[0]?.examples).toEqual([
      { location: 'line 1', raw: '03/04/2026', meaning: '2026-04-03' },
    ]);
    const slip = detectDateOrder(samples(['03/04/2026', '25/04/2026', '31/02/2026', 'n/a']), undefined);
    expect(slip).toEqual({ value: 'dmy', question: null });
  });

  it('is detected correctly or asked for, for any dates', () => {
    const day = fc.nat({ max: 2000 }).map((days) => addDays('2022-01-01', days));
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('dmy', 'mdy'),
        (days, order) => {
          const decided = detectDateOrder(samples(days.map(written(order))), undefined);
          if (decided.question === null) {
            const read = days.map((date) => parseDateText(written(order)(date), decided.value));
            expect(read).toEqual(days);
          } else expect(decided.question.readings.map(({ value }) => value)).toContain(order);
        },
      ),
      { numRuns: 200 },
    );
  });
});
