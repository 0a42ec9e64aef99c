import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).match;

// The matching engine and the decisions are loaded on first use.
const runs = () => import('../../matching/run.ts');
const undoing = () => import('../../matching/undo-run.ts');
const decisions = () => import('../../matching/decisions.ts');
const making = () => import('../../matching/make.ts');
const rules = () => import('../../matching/rules.ts');

export function matchCommands(context: WriterContext) {
  return {
    run: on.run.handler(async ({ input }) => ({ job: (await runs()).startMatchingRun(context, input).id })),
    undoRun: on.undoRun.handler(async ({ input: { site, id, reason } }) => ({
      job: (await undoing()).startUndoRun(context, site, id, reason).id,
    })),
    confirm: on.confirm.handler(async ({ input }) => (await decisions()).confirmMatches(context, input)),
    decline: on.decline.handler(async ({ input }) => (await decisions()).declineMatches(context, input)),
    undo: on.undo.handler(async ({ input }) => (await decisions()).undoMatches(context, input)),
    acceptRule: on.acceptRule.handler(async ({ input }) =>
      (await decisions()).confirmSuggestedOfRule(context, input),
    ),
    note: on.note.handler(async ({ input }) => (await decisions()).addMatchNote(context, input)),
    make: on.make.handler(async ({ input }) => (await making()).createManualMatch(context, input)),
    split: on.split.handler(async ({ input }) => (await making()).splitMatch(context, input)),
    writeOff: on.writeOff.handler(async ({ input }) => (await making()).writeOffRows(context, input)),
    saveRule: on.saveRule.handler(async ({ input }) => (await rules()).saveMatchRule(context, input)),
    removeRule: on.removeRule.handler(async ({ input: { site, id } }) => {
      (await rules()).deleteMatchRule(context, site, id);
      return {};
    }),
    orderRules: on.orderRules.handler(async ({ input: { site, ids } }) =>
      (await rules()).reorderMatchRules(context, site, ids),
    ),
  };
}
