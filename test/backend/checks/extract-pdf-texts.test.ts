import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { extractPdfText } from '../../../src/backend/archive/pdf-text.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { SITE } from '../writer-test-site.ts';
import { type CheckBench, openCheckBench } from './check-bench.ts';

let bench: CheckBench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

describe('archived PDFs', () => {
  it('cause an exception only if their figures differ from the statement', async () => {
    bench = await openCheckBench({ seed: 51, subscriptions: 12, outage: false });
    await bench.sync();
    const pdf = await bench.sync({ only: ['pdf'] });
    expect(pdf.summary).toContain('checked');
    expect((await bench.exceptions()).map(({ message }) => message)).toEqual([]);
    const rule = (await bench.client.check.rules({ site: SITE })).find((each) => each.rule === 'pdf-agrees');
    expect(rule).toMatchObject({ enabled: true, idle: null });

    const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
    const rows = cache.prepare<[], { sha256: string; text: string }>('SELECT * FROM pdf_text').all();
    expect(rows.length).toBeGreaterThan(10);
    const other = rows.find(({ text }) => /Ending balance\s+\$0\.00/.test(text));
    cache.prepare('UPDATE pdf_text SET text = ? WHERE sha256 = ?').run(
      other!.text.replace(/(Ending balance\s+)\$0\.00/, (_, label: string) => `${label}$12.34`),
      other!.sha256,
    );
    closeStore(cache);
    await bench.check();
    const found = await bench.exceptions();
    expect(found.map(({ rule }) => rule)).toEqual(['pdf-agrees']);
    expect(found[0]?.message).toContain('its PDF shows 12.34');
  });

  it('have no text if they are unreadable', async () => {
    expect(await extractPdfText(new TextEncoder().encode('%PDF-1.7\nnot one\n%%EOF'))).toBe('');
    expect(await extractPdfText(new Uint8Array(0))).toBe('');
    expect(await extractPdfText(new Uint8Array(6_000_000))).toBe('');
  });
});
