import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { extractPdfText } from '../../../src/backend/archive/pdf-text.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { SITE } from '../workbench.ts';
import { type CheckBench, openCheckBench } from './bench.ts';

let bench: CheckBench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

describe('the PDFs of the archive', () => {
  it('are compared with their statements: in order they give no exception, and one that shows other figures does', async () => {
    bench = await openCheckBench({ seed: 51, subscriptions: 12, outage: false });
    await bench.sync();
    const pdf = await bench.sync({ only: ['pdf'] });
    expect(pdf.summary).toContain('checked');
    expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    const rule = (await bench.client.check.rules({ site: SITE })).find((each) => each.rule === 'pdf-agrees');
    expect(rule).toMatchObject({ enabled: true, idle: null });

    const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
    const words = cache.prepare<[], { sha256: string; words: string }>('SELECT * FROM pdf_words').all();
    expect(words.length).toBeGreaterThan(10);
    const other = words.find(({ words }) => /Ending balance\s+\$0\.00/.test(words));
    cache.prepare('UPDATE pdf_words SET words = ? WHERE sha256 = ?').run(
      other!.words.replace(/(Ending balance\s+)\$0\.00/, (_, label: string) => `${label}$12.34`),
      other!.sha256,
    );
    closeStore(cache);
    await bench.check();
    const found = await bench.exceptions();
    expect(found.map(({ rule }) => rule)).toEqual(['pdf-agrees']);
    expect(found[0]?.message).toContain('its PDF shows 12.34');
  });

  it('that cannot be read have no words', async () => {
    expect(await extractPdfText(new TextEncoder().encode('%PDF-1.7\nnot one\n%%EOF'))).toBe('');
    expect(await extractPdfText(new Uint8Array(0))).toBe('');
    expect(await extractPdfText(new Uint8Array(6_000_000))).toBe('');
  });
});
