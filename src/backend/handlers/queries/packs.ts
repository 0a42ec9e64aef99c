import { implement } from '@orpc/server';
import { contract, packResult } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).packs;

const rows = () => import('../../store/evidence-pack/pack-rows.ts');
const writing = () => import('../../evidence-pack/write-pack.ts');
const verifying = () => import('../../evidence-pack/verify-pack.ts');

export function packQueries({ stores }: ReaderContext) {
  const { queryWith } = createSiteQueries(stores);
  return {
    plan: on.plan.handler(
      queryWith(writing, ({ previewPack }, site, input) => previewPack(site, input.period)),
    ),
    result: on.result.handler(async ({ input: { site, job } }) => {
      const { keptPacks } = await rows();
      const [kept = null] = stores.read(site, ({ books }) => keptPacks(books, { job }));
      return packResult.parse(
        JSON.parse(requireFound(kept, `pack of job ${job}`, 'It was not written to its end.')),
      );
    }),
    list: on.list.handler(async ({ input: { site, period } }) => {
      const { keptPacks } = await rows();
      const kept = stores.read(site, ({ books }) => keptPacks(books, { period }));
      return kept.map((each) => packResult.parse(JSON.parse(each)));
    }),
    verify: on.verify.handler(async ({ input, signal }) => {
      const { verifyPack } = await verifying();
      return await verifyPack(input.path, signal ?? new AbortController().signal);
    }),
  };
}
