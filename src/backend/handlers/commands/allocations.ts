import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { discardDraft, makeDraft, redraft } from '../../allocations/draft.ts';
import { recheckDraft } from '../../allocations/recheck.ts';
import { reportDraft } from '../../allocations/report.ts';
import { cancelDraft, pauseDraft, resumeDraft, sendDraft } from '../../allocations/send.ts';
import { decideChange, lookAgain } from '../../allocations/settle.ts';
import { trackPair } from '../../allocations/track.ts';
import type { WriterContext } from '../../writer-context.ts';

const on = implement(contract).allocations;

export function allocationCommands(context: WriterContext) {
  return {
    track: on.track.handler(({ input, signal }) => trackPair(context, input, signal)),
    draft: on.draft.handler(({ input }) => makeDraft(context, input)),
    redraft: on.redraft.handler(({ input }) => redraft(context, input)),
    discard: on.discard.handler(({ input }) => discardDraft(context, input)),
    recheck: on.recheck.handler(({ input }) => recheckDraft(context, input)),
    send: on.send.handler(({ input }) => sendDraft(context, input)),
    pause: on.pause.handler(({ input }) => pauseDraft(context, input)),
    resume: on.resume.handler(({ input }) => resumeDraft(context, input)),
    cancel: on.cancel.handler(({ input }) => cancelDraft(context, input)),
    decide: on.decide.handler(({ input }) => decideChange(context, input)),
    look: on.look.handler(({ input, signal }) => lookAgain(context, input, signal)),
    report: on.report.handler(({ input }) => reportDraft(context, input)),
  };
}
