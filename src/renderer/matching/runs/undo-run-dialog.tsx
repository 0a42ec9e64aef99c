import type { MatchRun } from '../../../contract/index.ts';
import { useClient } from '../../backend/hooks.ts';
import { ReasonDialog } from '../../frame/reason-dialog.tsx';
import { words } from '../../words/words.ts';

const text = words.matching.runs;

/** Takes back what a run confirmed and proposed, with the reason. */
export function UndoRunDialog({ site, run }: { readonly site: string; readonly run: MatchRun }) {
  const client = useClient();
  return (
    <ReasonDialog
      site={site}
      title={text.undoTitle(run.id)}
      run={text.undoNow}
      placeholder={text.reasonExample}
      size="small"
      danger
      first
      act={(reason) => client.match.undoRun({ site, id: run.id, reason })}
      done={() => text.undoing(run.id)}
    >
      <p>{text.undoText(run.confirmed)}</p>
    </ReasonDialog>
  );
}
