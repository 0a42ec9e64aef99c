import { useContractClient } from '../backend-client/backend-hooks.ts';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { navigate } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import type { BackupSource } from './backup-source.ts';

const text = texts.backups;

interface RestoreBackupDialogProps {
  readonly site: string;
  readonly from: BackupSource;
  /**
   * Fingerprint of the comparison that the user saw. The backend refuses to restore if the comparison has changed since.
   */
  readonly fingerprint: string;
  readonly when: string;
}

/** Dialog for replacing the books with a backup. */
export function RestoreBackupDialog({ site, from, fingerprint: shown, when }: RestoreBackupDialogProps) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.restoreTitle(when)}
      submitLabel={text.restoreNow}
      placeholder={text.restoreExample}
      size="small"
      danger
      focusReason
      onSubmit={async (reason) => {
        await client.backups.restore({ site, from, fingerprint: shown, reason });
        navigate({ screen: 'backups', item: null });
      }}
      successText={() => text.restored}
    >
      <p>{text.restoreText}</p>
    </ReasonDialog>
  );
}
