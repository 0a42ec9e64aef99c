import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackendClient, PeriodReport } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

const may = { site: SITE, period: '2026-05' };
const PREPARED = ['Every file of May is imported.', 'The reserve is agreed with the processor.'];
const REVIEWED = ['I traced eleven rows.'];
const certification = {
  required: true,
  statements: [
    ...PREPARED.map((text) => ({ role: 'prepared' as const, text })),
    ...REVIEWED.map((text) => ({ role: 'reviewed' as const, text })),
  ],
};
const comment = 'As far as is known.';

let bench: PeriodBench;
let client: BackendClient;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 31, on: '2026-05-11', cents: 8125 });
  await bench.import(standardCsv([['2026-05-12', '81.25', 'CARD', 'ch_x310']]));
  await bench.match();
  await client.periods.open(may);
});
afterEach(() => bench.close());

const submit = (confirmed: string[] = []) =>
  client.periods.submit({ ...may, by: 'Ada Byron', comment, confirmed });
const approve = (confirmed: string[] = [], by = 'Bo Diddley') =>
  client.periods.review({ ...may, by, verdict: 'approve', confirmed });
const saveCertification = (to: object) =>
  client.workpapers.saveSettings({ site: SITE, settings: to as never });
const conflict = (message: string) => ({ code: 'conflict', message: expect.stringContaining(message) });

async function readReport(): Promise<PeriodReport> {
  const path = join(bench.outputs, 'report.json');
  await client.reports.write({ ...may, format: 'json', path, replace: true });
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('certification statements', () => {
  it('are confirmed one by one, sealed with the signature, and part of the report', async () => {
    await saveCertification({ certification });
    await expect(submit()).rejects.toMatchObject(conflict(PREPARED[0]!));
    await expect(submit(PREPARED.slice(1))).rejects.toMatchObject(conflict(PREPARED[0]!));
    await expect(submit([...PREPARED, 'I made this up.'])).rejects.toMatchObject(conflict('I made this up.'));
    const { submitted } = await submit(PREPARED);
    expect(submitted?.statements).toEqual(PREPARED.map((text) => ({ text, confirmed: true })));
    await expect(approve()).rejects.toMatchObject(conflict(REVIEWED[0]!));
    await expect(approve(PREPARED)).rejects.toMatchObject(conflict('not a statement of the reviewer'));
    const { reviewed } = await approve(REVIEWED);
    expect(reviewed?.statements).toEqual([{ text: REVIEWED[0], confirmed: true }]);
    await bench.waitForJob((await client.periods.close(may)).job);
    const { signatures } = await readReport();
    expect(signatures.map(({ role, statements }) => [role, statements.length])).toEqual([
      ['prepared', 2],
      ['reviewed', 1],
      ['closed', 0],
    ]);
    expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
  });

  it('that are not required are reported as not confirmed', async () => {
    const { certification: usual } = await client.workpapers.settings({ site: SITE });
    const texts = usual.statements.filter(({ role }) => role === 'prepared').map(({ text }) => text);
    const { submitted } = await submit(texts.slice(0, 1));
    expect(submitted?.statements.map(({ confirmed }) => confirmed)).toEqual(texts.map((_, at) => at === 0));
    const path = join(bench.outputs, 'cover.csv');
    await client.reports.write({ ...may, format: 'csv', path });
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(`yes,"${texts[0]}"`);
    expect(text).toContain(`no,"${texts[1]}"`);
  });

  it('are checked when they are saved, and unsaved settings stay as they are', async () => {
    const twice = [certification.statements[0], certification.statements[0]];
    await expect(
      saveCertification({ certification: { required: false, statements: twice } }),
    ).rejects.toMatchObject({ code: 'validation' });
    const before = await client.workpapers.settings({ site: SITE });
    const saved = await saveCertification({ certification });
    expect(saved).toEqual({ ...before, certification });
    expect(await client.workpapers.settings({ site: SITE })).toEqual(saved);
  });
});

describe('a comment on a figure', () => {
  const figure = { currency: 'USD', figure: 'S2.open' };
  const findRemark = async () =>
    (await client.periods.get(may)).remarks.find(({ kind }) => kind === 'comments');

  it('must be answered, and cleared by another key, before the period is closed', async () => {
    await submit();
    await client.periods.comment({ ...may, ...figure, by: 'Bo Diddley', text: 'Why is this zero?' });
    const { history } = await client.periods.get(may);
    const { seq, key } = history.at(-1)!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await findRemark()).toMatchObject({ requires: 'nothing' });
    await approve();
    expect(await findRemark()).toMatchObject({ requires: 'fix' });
    const refused = conflict(`comment ${seq} on S2.open (open): Why is this zero?`);
    await expect(client.periods.close(may)).rejects.toMatchObject(refused);
    const clear = { ...may, comment: seq, by: 'Bo Diddley' };
    await expect(client.periods.clearComment(clear)).rejects.toMatchObject(conflict('has no answer'));
    await client.periods.answerComment({ ...may, comment: seq, by: 'Ada Byron', text: 'All were matched.' });
    await expect(client.periods.close(may)).rejects.toMatchObject(conflict('(answered)'));
    await expect(client.periods.clearComment({ ...clear, by: 'Byron, Ada' })).rejects.toMatchObject(
      conflict('Another person must clear it.'),
    );
    await client.periods.clearComment(clear);
    await expect(client.periods.clearComment(clear)).rejects.toMatchObject(
      conflict('has already been cleared'),
    );
    expect(await bench.waitForJob((await client.periods.close(may)).job)).toMatchObject({ state: 'done' });
    const { figure_comments: comments } = await readReport();
    expect(comments.map(({ action, name, text, status }) => [action, name, text, status])).toEqual([
      ['commented', 'Bo Diddley', 'Why is this zero?', 'cleared'],
      ['answered', 'Ada Byron', 'All were matched.', 'cleared'],
      ['cleared', 'Bo Diddley', null, 'cleared'],
    ]);
    await expect(client.periods.comment({ ...may, ...figure, text: 'Too late.' })).rejects.toMatchObject(
      conflict('is closed, including its comments'),
    );
    expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
  });

  const addComment = async (by: string) => {
    const { history } = await client.periods.comment({
      ...may,
      ...figure,
      by,
      text: 'Which rows are these?',
    });
    const comment = history.at(-1)!.seq;
    return {
      answer: (by: string) => client.periods.answerComment({ ...may, comment, by, text: 'The eleven.' }),
      clear: (by: string) => client.periods.clearComment({ ...may, comment, by }),
    };
  };

  it('is not cleared by the preparer, even if someone else answered it', async () => {
    await submit();
    const { answer, clear } = await addComment('Bo Diddley');
    await answer('Carol King');
    await expect(clear('Ada Byron')).rejects.toMatchObject(conflict('Ada Byron prepared 2026-05.'));
    const { history } = await clear('Bo Diddley');
    expect(history.at(-1)).toMatchObject({ action: 'cleared', is_self_review: false });
  });

  it('is not cleared by the author of any of its answers', async () => {
    const { answer, clear } = await addComment('Bo Diddley');
    await answer('Dinah Shore');
    await answer('Carol King');
    for (const author of ['Dinah Shore', 'king, CAROL'])
      await expect(clear(author)).rejects.toMatchObject(conflict('answered comment'));
    await clear('Bo Diddley');
  });

  it('is not cleared by the person who submits the figures afterward', async () => {
    const { answer, clear } = await addComment('Bo Diddley');
    await answer('Carol King');
    await clear('Ada Byron');
    await expect(submit()).rejects.toMatchObject(conflict('cleared a comment'));
    const { state } = await client.periods.submit({ ...may, by: 'Carol King', comment });
    expect(state).toBe('submitted');
  });

  it('needs an existing figure and an existing comment', async () => {
    for (const wrong of [
      { ...figure, figure: 'S2.nothing' },
      { ...figure, currency: 'EUR' },
    ])
      await expect(client.periods.comment({ ...may, ...wrong, text: 'What?' })).rejects.toMatchObject({
        code: 'not_found',
      });
    await expect(client.periods.answerComment({ ...may, comment: 1, text: 'No.' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('can be cleared by the person who answered it only with a reason, which is recorded', async () => {
    await client.periods.comment({ ...may, ...figure, by: 'Ada Byron', text: 'Look again.' });
    const comment = (await client.periods.get(may)).history.at(-1)!.seq;
    await client.periods.answerComment({ ...may, comment, by: 'Ada Byron', text: 'Looked again.' });
    const { history } = await client.periods.clearComment({
      ...{ ...may, comment, by: 'Ada Byron', self_review: 'I work alone.' },
    });
    expect(history.at(-1)).toMatchObject({ action: 'cleared', is_self_review: true, text: 'I work alone.' });
  });
});

describe('a site that refuses self-reviews', () => {
  it('accepts no reason, no second key of the same computer, and no second name', async () => {
    await expect(approve([], 'Ada Byron')).rejects.toMatchObject(conflict('with the same key'));
    await expect(
      client.periods.review({ ...may, by: 'Ada Byron', verdict: 'approve', self_review: 'Alone.' }),
    ).rejects.toMatchObject(conflict('refuses self-reviews'));
    await expect(approve([], 'Bo Diddley')).rejects.toMatchObject(
      conflict('both in the keychain of this computer'),
    );
  });

  const people = () => join(bench.home, 'people.json');
  const listNames = async () => (await client.people.list({})).map(({ name }) => name);
  const onThisComputer = conflict('both in the keychain of this computer');

  beforeEach(async () => {
    await saveCertification({ self_review: 'refused' });
    await submit();
  });

  it('remembers a replaced key of the preparer, and creates no key for the reviewer', async () => {
    await client.people.add({ name: 'Ada Byron', replace_key: true });
    await expect(approve([], 'Etta James')).rejects.toMatchObject(onThisComputer);
    const reject = { ...may, verdict: 'reject', comment: 'Not yet.', by: 'Etta James' } as const;
    await expect(client.periods.review(reject)).rejects.toMatchObject(onThisComputer);
    const question = { ...may, currency: 'USD', figure: 'S2.open', by: 'Etta James', text: 'Why?' };
    await expect(client.periods.comment(question)).rejects.toMatchObject(onThisComputer);
    expect(await listNames()).toEqual(['Ada Byron']);
    await client.people.add({ name: 'Etta James' });
    await expect(approve([], 'Etta James')).rejects.toMatchObject(onThisComputer);
  });

  it('finds the key of the preparer in the keychain if the file of the people is lost', async () => {
    rmSync(people());
    await expect(approve([], 'Etta James')).rejects.toMatchObject(onThisComputer);
    await client.people.add({ name: 'Etta James' });
    await expect(approve([], 'Etta James')).rejects.toMatchObject(onThisComputer);
    expect((await client.periods.get(may)).state).toBe('submitted');
  });

  it.each(['{"people": [', '{"people": "none", "default": null}'])(
    'signs nothing while the file of the people contains %s',
    async (content) => {
      writeFileSync(people(), content);
      const unreadable = { code: 'corrupt', message: expect.stringContaining('people.json') };
      await expect(approve([], 'Etta James')).rejects.toMatchObject(unreadable);
      await expect(client.people.add({ name: 'Etta James' })).rejects.toMatchObject(unreadable);
      expect(readFileSync(people(), 'utf8')).toBe(content);
    },
  );
});
