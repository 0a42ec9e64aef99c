import { matchProcedures } from '../../../contract/matching/matching.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

// Loads the modules for matching and match decisions on first use.
const loadRun = () => import('../../matching/matching-run.ts');
const loadUndoRun = () => import('../../matching/undo-matching-run.ts');
const loadDecisions = () => import('../../matching/match-decisions.ts');
const loadManualMatch = () => import('../../matching/manual-match.ts');
const loadCategories = () => import('../../matching/match-categories.ts');
const loadRules = () => import('../../matching/match-rules.ts');

export const matchCommands = (context: WriterContext) =>
  implementProcedures(matchProcedures, {
    run: async ({ input }) => ({
      job: (await loadRun()).startMatchingRun(context, input).id,
    }),
    undoRun: async ({ input: { site, id, reason } }) => ({
      job: (await loadUndoRun()).startMatchingRunUndo(context, site, id, reason).id,
    }),
    confirm: async ({ input }) => (await loadDecisions()).confirmMatches(context, input),
    decline: async ({ input }) => (await loadDecisions()).declineMatches(context, input),
    undo: async ({ input }) => (await loadDecisions()).undoMatches(context, input),
    acceptRule: async ({ input }) => (await loadDecisions()).confirmMatchesSuggestedByRule(context, input),
    make: async ({ input }) => (await loadManualMatch()).createManualMatch(context, input),
    split: async ({ input }) => (await loadManualMatch()).splitMatch(context, input),
    writeOff: async ({ input }) => (await loadManualMatch()).writeOffRows(context, input),
    addCategory: async ({ input }) => {
      (await loadCategories()).addMatchCategory(context, input);
      return {};
    },
    removeCategory: async ({ input }) => {
      (await loadCategories()).removeMatchCategory(context, input);
      return {};
    },
    saveRule: async ({ input }) => (await loadRules()).saveMatchRule(context, input),
    removeRule: async ({ input: { site, id } }) => {
      (await loadRules()).deleteMatchRule(context, site, id);
      return {};
    },
    orderRules: async ({ input: { site, ids } }) => (await loadRules()).reorderMatchRules(context, site, ids),
  });
