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
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const allocationCommands = (context: WriterContext) =>
  implementProcedures('allocations', {
    track: ({ input, signal }) => followSubscriptionComponent(context, input, signal),
    draft: ({ input }) => createAllocationDraft(context, input),
    redraft: ({ input }) => draftUnappliedChanges(context, input),
    discard: ({ input }) => discardAllocationDraft(context, input),
    recheck: ({ input }) => recheckAllocationDraft(context, input),
    send: ({ input }) => sendAllocationDraft(context, input),
    pause: ({ input }) => pauseAllocationDraft(context, input),
    resume: ({ input }) => resumeAllocationDraft(context, input),
    cancel: ({ input }) => cancelAllocationDraft(context, input),
    decide: ({ input }) => decideUncertainChange(context, input),
    look: ({ input, signal }) => lookUpUncertainChange(context, input, signal),
    report: ({ input }) => writeAllocationDraftReport(context, input),
  });
