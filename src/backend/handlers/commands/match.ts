import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).match;

// The matching engine and the decisions are loaded on first use.
const loadRun = () => import('../../matching/matching-run.ts');
const loadUndoRun = () => import('../../matching/undo-matching-run.ts');
const loadDecisions = () => import('../../matching/match-decisions.ts');
const loadManualMatch = () => import('../../matching/manual-match.ts');
const loadRules = () => import('../../matching/match-rules.ts');

export function matchCommands(context: WriterContext) {
  return {
    run: on.run.handler(async ({ input }) => ({
      job: (await loadRun()).startMatchingRun(context, input).id,
    })),
    undoRun: on.undoRun.handler(async ({ input: { site, id, reason } }) => ({
      job: (await loadUndoRun()).startUndoOfMatchingRun(context, site, id, reason).id,
    })),
    confirm: on.confirm.handler(async ({ input }) => (await loadDecisions()).confirmMatches(context, input)),
    decline: on.decline.handler(async ({ input }) => (await loadDecisions()).declineMatches(context, input)),
    undo: on.undo.handler(async ({ input }) => (await loadDecisions()).undoMatches(context, input)),
    acceptRule: on.acceptRule.handler(async ({ input }) =>
      (await loadDecisions()).confirmSuggestedMatchesOfRule(context, input),
    ),
    note: on.note.handler(async ({ input }) => (await loadDecisions()).addMatchNote(context, input)),
    make: on.make.handler(async ({ input }) => (await loadManualMatch()).createManualMatch(context, input)),
    split: on.split.handler(async ({ input }) => (await loadManualMatch()).splitMatch(context, input)),
    writeOff: on.writeOff.handler(async ({ input }) =>
      (await loadManualMatch()).writeOffRows(context, input),
    ),
    saveRule: on.saveRule.handler(async ({ input }) => (await loadRules()).saveMatchRule(context, input)),
    removeRule: on.removeRule.handler(async ({ input: { site, id } }) => {
      (await loadRules()).deleteMatchRule(context, site, id);
      return {};
    }),
    orderRules: on.orderRules.handler(async ({ input: { site, ids } }) =>
      (await loadRules()).reorderMatchRules(context, site, ids),
    ),
  };
}
