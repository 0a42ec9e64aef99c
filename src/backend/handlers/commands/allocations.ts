import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { recheckAllocationDraft } from '../../allocations/draft-recheck.ts';
import { writeAllocationDraftReport } from '../../allocations/draft-report.ts';
import {
  createAllocationDraft,
  discardAllocationDraft,
  draftUnappliedChanges,
} from '../../allocations/drafts.ts';
import { followSubscriptionComponent } from '../../allocations/follow-component.ts';
import {
  cancelAllocationDraft,
  pauseAllocationDraft,
  resumeAllocationDraft,
  sendAllocationDraft,
} from '../../allocations/send-draft.ts';
import { decideUncertainChange, lookUpUncertainChange } from '../../allocations/uncertain-changes.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).allocations;

export function allocationCommands(context: WriterContext) {
  return {
    track: on.track.handler(({ input, signal }) => followSubscriptionComponent(context, input, signal)),
    draft: on.draft.handler(({ input }) => createAllocationDraft(context, input)),
    redraft: on.redraft.handler(({ input }) => draftUnappliedChanges(context, input)),
    discard: on.discard.handler(({ input }) => discardAllocationDraft(context, input)),
    recheck: on.recheck.handler(({ input }) => recheckAllocationDraft(context, input)),
    send: on.send.handler(({ input }) => sendAllocationDraft(context, input)),
    pause: on.pause.handler(({ input }) => pauseAllocationDraft(context, input)),
    resume: on.resume.handler(({ input }) => resumeAllocationDraft(context, input)),
    cancel: on.cancel.handler(({ input }) => cancelAllocationDraft(context, input)),
    decide: on.decide.handler(({ input }) => decideUncertainChange(context, input)),
    look: on.look.handler(({ input, signal }) => lookUpUncertainChange(context, input, signal)),
    report: on.report.handler(({ input }) => writeAllocationDraftReport(context, input)),
  };
}
