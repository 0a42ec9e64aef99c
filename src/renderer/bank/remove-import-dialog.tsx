import { useClient } from '../backend/hooks.ts';
import { ReasonDialog } from '../frame/reason-dialog.tsx';
import { words } from '../words/words.ts';

const text = words.bank;

interface RemoveImportProps {
  readonly site: string;
  readonly id: number;
  readonly lines: number;
}

/** Takes an import back as a whole, with the reason. */
export function RemoveImportDialog({ site, id, lines }: RemoveImportProps) {
  const client = useClient();
  return (
    <ReasonDialog
      site={site}
      title={text.removeTitle(id)}
      run={text.removeNow}
      placeholder={text.removePlaceholder}
      size="small"
      danger
      first
      act={(reason) => client.bank.removeImport({ site, id, reason })}
      done={() => text.removedNote(id)}
    >
      <p>{text.removeText(lines)}</p>
    </ReasonDialog>
  );
}
