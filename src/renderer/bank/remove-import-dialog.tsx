import { useContractClient } from '../backend-client/backend-hooks.ts';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.bank;

interface RemoveImportProps {
  readonly site: string;
  readonly id: number;
  readonly lines: number;
}

/** Dialog for removing an import and all its lines. Requires a reason. */
export function RemoveImportDialog({ site, id, lines }: RemoveImportProps) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.removeTitle(id)}
      submitLabel={text.removeNow}
      placeholder={text.removePlaceholder}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.bank.removeImport({ site, id, reason })}
      successText={() => text.removing(id)}
    >
      <p>{text.removeText(lines)}</p>
    </ReasonDialog>
  );
}
