import { allocationProcedures } from '../../../contract/allocations/allocations.ts';
import { writeAllocationDraftReport } from '../../allocations/allocation-draft-report.ts';
import {
  createAllocationDraft,
  createDraftOfUnappliedChanges,
  discardAllocationDraft,
} from '../../allocations/allocation-drafts.ts';
import { followSubscriptionComponent } from '../../allocations/follow-subscription-component.ts';
import { recheckAllocationDraft } from '../../allocations/recheck-allocation-draft.ts';
import {
  cancelAllocationDraft,
  pauseAllocationDraft,
  resumeAllocationDraft,
  sendAllocationDraft,
} from '../../allocations/send-allocation-draft.ts';
import {
  decideUncertainChange,
  lookUpUncertainChange,
} from '../../allocations/uncertain-allocation-changes.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

export const allocationCommands = (context: WriterContext) =>
  implementProcedures(allocationProcedures, {
    track: ({ input, signal }) => followSubscriptionComponent(context, input, signal),
    draft: ({ input }) => createAllocationDraft(context, input),
    redraft: ({ input }) => createDraftOfUnappliedChanges(context, input),
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
