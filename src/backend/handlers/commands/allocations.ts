import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { createDraft, discardDraft, draftUnappliedChanges } from '../../allocations/draft.ts';
import { recheckDraft } from '../../allocations/recheck.ts';
import { writeDraftReport } from '../../allocations/report.ts';
import { cancelDraft, pauseDraft, resumeDraft, sendDraft } from '../../allocations/send.ts';
import { decideUncertainChange, lookUpUncertainChange } from '../../allocations/settle.ts';
import { followSubscriptionComponent } from '../../allocations/track.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).allocations;

export function allocationCommands(context: WriterContext) {
  return {
    track: on.track.handler(({ input, signal }) => followSubscriptionComponent(context, input, signal)),
    draft: on.draft.handler(({ input }) => createDraft(context, input)),
    redraft: on.redraft.handler(({ input }) => draftUnappliedChanges(context, input)),
    discard: on.discard.handler(({ input }) => discardDraft(context, input)),
    recheck: on.recheck.handler(({ input }) => recheckDraft(context, input)),
    send: on.send.handler(({ input }) => sendDraft(context, input)),
    pause: on.pause.handler(({ input }) => pauseDraft(context, input)),
    resume: on.resume.handler(({ input }) => resumeDraft(context, input)),
    cancel: on.cancel.handler(({ input }) => cancelDraft(context, input)),
    decide: on.decide.handler(({ input }) => decideUncertainChange(context, input)),
    look: on.look.handler(({ input, signal }) => lookUpUncertainChange(context, input, signal)),
    report: on.report.handler(({ input }) => writeDraftReport(context, input)),
  };
}
