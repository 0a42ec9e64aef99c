import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { startArchiveCheck, startArchiveRepair } from '../../archive/check-and-repair.ts';
import { deletePdfs } from '../../archive/delete-pdfs.ts';
import { startPdfDownload } from '../../archive/download-missing-pdfs.ts';
import { discardExportPlan, planExport } from '../../archive/plan-export.ts';
import { placeHolds, releaseHolds, setRetentionYears } from '../../archive/retention-and-holds.ts';
import { startExport } from '../../archive/run-export.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).archive;

export function archiveCommands(context: WriterContext) {
  const { stores, changes, now, user, indexing } = context;
  const decision = () => ({ now: now(), user: user });
  const emitChange = (site: string) => changes.emit(site, 'archive', 'audit');
  return {
    plan: on.plan.handler(async ({ input, signal }) => {
      const { site, selection } = input;
      if ('filter' in selection && selection.filter.search !== undefined) {
        await indexing.indexAll(site, 'statements', signal);
      }
      const planned = await planExport(stores.open(input.site), input, { now: now(), user });
      changes.emit(input.site, 'archive', 'audit');
      return planned;
    }),
    discard: on.discard.handler(({ input: { site, export: id } }) => {
      discardExportPlan(stores.open(site), id, { now: now(), user });
      emitChange(site);
      return {};
    }),
    export: on.export.handler(({ input }) => ({ job: startExport(context, input.site, input.export).id })),
    fetch: on.fetch.handler(({ input }) => ({ job: startPdfDownload(context, input.site, input.filter).id })),
    check: on.check.handler(({ input }) => ({ job: startArchiveCheck(context, input.site, input.all).id })),
    retain: on.retain.handler(({ input: { site, ...decided } }) => {
      setRetentionYears(stores.open(site), decided, decision());
      emitChange(site);
      return { years: decided.years };
    }),
    hold: on.hold.handler(({ input: { site, ...stored } }) => {
      const placed = placeHolds(stores.open(site), stored, decision());
      emitChange(site);
      return { placed };
    }),
    release: on.release.handler(({ input: { site, ...released } }) => {
      const count = releaseHolds(stores.open(site), released, decision());
      emitChange(site);
      return { released: count };
    }),
    delete: on.delete.handler(({ input: { site, ...list } }) => {
      const { now: at, user: who } = decision();
      const deleted = deletePdfs(stores.open(site), list, {
        now: at,
        today: formatTimestamp(at).slice(0, 10),
        user: who,
      });
      emitChange(site);
      return deleted;
    }),
    repair: on.repair.handler(({ input }) => ({ job: startArchiveRepair(context, input.site).id })),
  };
}
