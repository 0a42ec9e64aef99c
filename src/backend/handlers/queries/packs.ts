import { implement } from '@orpc/server';
import { contract, packResult } from '../../../contract/index.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).packs;

const rows = () => import('../../store/periods/pack-rows.ts');
const writing = () => import('../../pack/write-pack.ts');
const verifying = () => import('../../pack/verify-pack.ts');

export function packQueries({ stores }: ReaderContext) {
  return {
    plan: on.plan.handler(async ({ input }) => {
      const { planPack } = await writing();
      return stores.read(input.site, (site) => planPack(site, input.period));
    }),
    result: on.result.handler(async ({ input: { site, job } }) => {
      const { keptPacks } = await rows();
      const [kept = null] = stores.read(site, ({ books }) => keptPacks(books, { job }));
      return packResult.parse(
        JSON.parse(found(kept, `pack of job ${job}`, 'It was not written to its end.')),
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
