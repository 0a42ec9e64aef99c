import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from '../../writer-context.ts';

const on = implement(contract).match;

// The engine and the decisions are loaded when they are first asked for.
const runs = () => import('../../matching/run.ts');
const undoing = () => import('../../matching/undo-run.ts');
const decisions = () => import('../../matching/decisions.ts');
const making = () => import('../../matching/make.ts');
const rules = () => import('../../matching/rules.ts');

export function matchCommands(context: WriterContext) {
  return {
    run: on.run.handler(async ({ input }) => ({ job: (await runs()).startRun(context, input).id })),
    undoRun: on.undoRun.handler(async ({ input: { site, id, reason } }) => ({
      job: (await undoing()).startUndo(context, site, id, reason).id,
    })),
    confirm: on.confirm.handler(async ({ input }) => (await decisions()).confirmGroups(context, input)),
    decline: on.decline.handler(async ({ input }) => (await decisions()).declineGroups(context, input)),
    undo: on.undo.handler(async ({ input }) => (await decisions()).undoGroups(context, input)),
    acceptRule: on.acceptRule.handler(async ({ input }) => (await decisions()).acceptRule(context, input)),
    note: on.note.handler(async ({ input }) => (await decisions()).writeNote(context, input)),
    make: on.make.handler(async ({ input }) => (await making()).makeGroup(context, input)),
    split: on.split.handler(async ({ input }) => (await making()).splitGroup(context, input)),
    writeOff: on.writeOff.handler(async ({ input }) => (await making()).writeOff(context, input)),
    saveRule: on.saveRule.handler(async ({ input }) => (await rules()).keepRule(context, input)),
    removeRule: on.removeRule.handler(async ({ input: { site, id } }) => {
      (await rules()).dropRule(context, site, id);
      return {};
    }),
    orderRules: on.orderRules.handler(async ({ input: { site, ids } }) =>
      (await rules()).putInOrder(context, site, ids),
    ),
  };
}
