import { useClient } from '../backend/hooks.ts';
import { ReasonDialog } from '../frame/ReasonDialog.tsx';
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
      words={{
        label: text.removeReason,
        placeholder: text.removePlaceholder,
        missing: text.reasonMissing,
        cancel: text.cancel,
        run: text.removeNow,
        done: text.removedNote(id),
      }}
      run={(reason) => client.bank.removeImport({ site, id, reason })}
    >
      {text.removeText(lines)}
    </ReasonDialog>
  );
}
