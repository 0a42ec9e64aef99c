import type { ArchiveHold } from '../../contract/index.ts';
import { useContractClient } from '../backend-client/backend-hooks.ts';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { formatHoldTarget } from './retention-panel.tsx';

const text = texts.archive.releaseDialog;

export function ReleaseHoldDialog({ site, hold }: { readonly site: string; readonly hold: ArchiveHold }) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.title(formatHoldTarget(hold))}
      submitLabel={text.run}
      placeholder={text.placeholder}
      size="small"
      focusReason
      onSubmit={(reason) => client.archive.release({ site, holds: [hold.hold], reason })}
      successText={() => text.done}
    >
      <p>{text.text}</p>
    </ReasonDialog>
  );
}
