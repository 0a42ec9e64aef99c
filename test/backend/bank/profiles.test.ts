import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const createTable = (rows: string) => `Valuta;Betrag;Woofuer\n${rows}`;
const october = createTable('03.10.2026;1.019,00;Mieter\n04.10.2026;-2,50;Spesen\n');

/** Profile for tables whose headers do not identify the columns. */
const customProfile = {
  name: 'house-bank',
  label: 'House bank',
  source: 'bank',
  recognized_by: ['Valuta', 'Betrag', 'Woofuer'],
  columns: { booked_on: ['Valuta'], amount: ['Betrag'], description: ['Woofuer'] },
  delimiter: ';',
  date_order: 'dmy',
  decimal_mark: ',',
  currency: 'EUR',
};

describe('profile', () => {
  it('is used automatically for files with its columns, and for other files if selected', async () => {
    const saved = await bench.client.bank.saveProfile({ site: SITE, profile: customProfile });
    expect(saved).toMatchObject({ name: 'house-bank', built_in: false, profile: customProfile });
    const profiles = await bench.client.bank.profiles({ site: SITE });
    expect(profiles[0]).toEqual(saved);
    expect(profiles.filter(({ built_in }) => built_in).map(({ name }) => name)).toContain('standard');

    const plan = await bench.plan(october, { profile: undefined });
    expect(plan).toMatchObject({
      profile: { name: 'house-bank' },
      questions: [],
      rows: { new: 2, failed: 0 },
      sums: [{ in_cents: 101_900, out_cents: -250 }],
      first_on: '2026-10-03',
    });
    const named = await bench.plan(createTable('01/02/2026;1,00;A\n'), { profile: 'house-bank' });
    expect(named).toMatchObject({ profile: { name: 'house-bank' }, first_on: '2026-02-01' });
    const { id } = await bench.import(october, { profile: undefined });
    expect(await bench.client.bank.getImport({ site: SITE, id })).toMatchObject({ profile: 'house-bank' });
  });

  it('can be changed and deleted, and its imports remain', async () => {
    const { saveProfile, removeProfile, profiles } = bench.client.bank;
    await saveProfile({ site: SITE, profile: customProfile });
    await saveProfile({ site: SITE, profile: { ...customProfile, label: 'The house bank', negated: true } });
    const saved = (await profiles({ site: SITE })).filter(({ built_in }) => !built_in);
    expect(saved).toMatchObject([{ label: 'The house bank', profile: { negated: true } }]);
    const { plan } = await bench.import(october, { profile: undefined });
    expect(plan.sums).toMatchObject([{ in_cents: 250, out_cents: -101_900 }]);

    await removeProfile({ site: SITE, name: 'house-bank' });
    expect((await profiles({ site: SITE })).every(({ built_in }) => built_in)).toBe(true);
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(2);
    await expect(removeProfile({ site: SITE, name: 'house-bank' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const actions = bench.books().prepare<[], string>('SELECT action FROM audit ORDER BY seq').pluck().all();
    expect(actions).toEqual(['bank.save-profile', 'bank.save-profile', 'bank.import', 'bank.remove-profile']);
  });

  it('is rejected if it is incomplete, malformed or named like a built-in profile', async () => {
    const { saveProfile } = bench.client.bank;
    await expect(
      saveProfile({ site: SITE, profile: { ...customProfile, name: 'standard' } }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      saveProfile({ site: SITE, profile: { ...customProfile, columns: {} } }),
    ).rejects.toMatchObject({
      code: 'validation',
      data: { errors: ['columns: add a date column (booked_on)'] },
    });
    await expect(
      saveProfile({ site: SITE, profile: { ...customProfile, encoding: 'klingon' } }),
    ).rejects.toMatchObject({ code: 'validation', data: { errors: [expect.stringMatching(/^encoding: /)] } });
    expect((await bench.client.bank.profiles({ site: SITE })).every(({ built_in }) => built_in)).toBe(true);
  });

  it('stores the answer to a question, so that it is not asked again', async () => {
    const file = 'Date,Amount (USD),Text\n03/04/2026,10.00,A\n05/06/2026,11.00,B\n';
    const asked = await bench.plan(file, { profile: undefined });
    const { key } = asked.questions[0]!;
    const answered = await bench.plan(file, { profile: undefined, answers: { [key]: 'dmy' } });
    expect(answered).toMatchObject({ blocker: null, first_on: '2026-04-03' });
    await bench.client.bank.saveProfile({
      site: SITE,
      profile: { ...answered.profile, name: 'corner-bank', label: 'Corner bank' },
    });
    const next = await bench.plan('Date,Amount (USD),Text\n07/08/2026,12.00,C\n', { profile: undefined });
    expect(next).toMatchObject({ questions: [], blocker: null, first_on: '2026-08-07' });
    expect(next.profile).toMatchObject({ name: 'corner-bank' });
  });
});

describe('file', () => {
  it('can be downloaded unchanged, also after its import was removed', async () => {
    const bytes = `\uFEFF${october.replaceAll('\n', '\r\n')}`;
    await bench.client.bank.saveProfile({ site: SITE, profile: customProfile });
    const { id } = await bench.import(bytes, { profile: undefined, name: 'Oktober, Übersicht.csv' });
    const check = async () => {
      const offered = await bench.client.bank.source({ site: SITE, id });
      expect(offered).toMatchObject({ name: 'Oktober, Übersicht.csv' });
      // The test's shell returns paths instead of one-time files.
      expect(readFileSync(offered.blob, 'utf8')).toBe(bytes);
    };
    await check();
    const { job } = await bench.client.bank.removeImport({ site: SITE, id, reason: 'a test' });
    await bench.waitForJob(job);
    await check();
    const { sha256 } = await bench.client.bank.getImport({ site: SITE, id });
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    await expect(bench.client.bank.source({ site: SITE, id: 99 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is rejected during the upload if it is too large, with a hint', async () => {
    const data = Buffer.alloc(1_000_000, 'x').toString('base64');
    const { upload } = await bench.client.bank.upload({ site: SITE, name: 'big.csv', data });
    const more = () => bench.client.bank.upload({ site: SITE, name: 'big.csv', upload, data });
    for (let piece = 1; piece < 64; piece++) await more();
    await expect(more()).rejects.toMatchObject({
      code: 'validation',
      message: 'big.csv is larger than 64 MB.',
      data: { hint: expect.stringMatching(/shorter periods/) },
    });
    await expect(more()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('with ambiguous dates is read without future dates until the question is answered', async () => {
    const file = 'Date,Amount (USD),Text\n04/08/2026,10.00,A\n05/08/2026,11.00,B\n';
    for (const [today, first_on] of [
      ['2026-05-10', '2026-04-08'],
      ['2026-12-31', '2026-08-04'],
    ] as const) {
      const other = await openBankBench({ now: () => Date.parse(`${today}T12:00:00Z`) });
      expect(await other.plan(file, { profile: undefined })).toMatchObject({
        first_on,
        questions: [{ key: 'date_order' }],
      });
      await other.close();
    }
  });
});
