import type { MatchRun } from '../../../contract/index.ts';
import { useContractClient } from '../../backend-client/backend-hooks.ts';
import { ReasonDialog } from '../../layout/reason-dialog.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.matching.runs;

/** Dialog for undoing the matches that a run confirmed or suggested. Requires a reason. */
export function UndoRunDialog({ site, run }: { readonly site: string; readonly run: MatchRun }) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.undoTitle(run.id)}
      submitLabel={text.undoNow}
      placeholder={text.reasonExample}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.match.undoRun({ site, id: run.id, reason })}
      successText={() => text.undoing(run.id)}
    >
      <p>{text.undoText(run.confirmed)}</p>
    </ReasonDialog>
  );
}
