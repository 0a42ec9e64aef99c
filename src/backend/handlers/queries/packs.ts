import { implement } from '@orpc/server';
import { contract, packResultSchema } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).packs;

const loadPackRows = () => import('../../store/evidence-pack/pack-rows.ts');
const loadWrite = () => import('../../evidence-pack/write-pack.ts');
const loadVerify = () => import('../../evidence-pack/verify-pack.ts');

export function packQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    plan: on.plan.handler(
      queryWith(loadWrite, ({ previewPack }, site, input) => previewPack(site, input.period)),
    ),
    result: on.result.handler(async ({ input: { site, job } }) => {
      const { keptPacks } = await loadPackRows();
      const [kept = null] = stores.read(site, ({ books }) => keptPacks(books, { job }));
      return packResultSchema.parse(
        JSON.parse(requireFound(kept, `pack of job ${job}`, 'It was not written to its end.')),
      );
    }),
    list: on.list.handler(async ({ input: { site, period } }) => {
      const { keptPacks } = await loadPackRows();
      const kept = stores.read(site, ({ books }) => keptPacks(books, { period }));
      return kept.map((each) => packResultSchema.parse(JSON.parse(each)));
    }),
    verify: on.verify.handler(async ({ input, signal }) => {
      const { verifyPack } = await loadVerify();
      return await verifyPack(input.path, signal ?? new AbortController().signal);
    }),
  };
}
