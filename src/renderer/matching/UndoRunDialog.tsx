import type { MatchRun } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { ReasonDialog } from '../frame/ReasonDialog.tsx';
import { words } from '../words/words.ts';

const text = words.matching.runs;

/** Takes back what a run confirmed and proposed, with the reason. */
export function UndoRunDialog({ site, run }: { readonly site: string; readonly run: MatchRun }) {
  const client = useClient();
  return (
    <ReasonDialog
      site={site}
      title={text.undoTitle(run.id)}
      words={{
        label: text.reason,
        placeholder: text.reasonExample,
        missing: text.reasonMissing,
        cancel: text.cancel,
        run: text.undoNow,
        done: text.undoing(run.id),
      }}
      run={(reason) => client.match.undoRun({ site, id: run.id, reason })}
    >
      {text.undoText(run.confirmed)}
    </ReasonDialog>
  );
}
