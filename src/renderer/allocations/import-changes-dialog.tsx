import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openAllocationDraft } from './allocation-route.ts';

import './allocations.css';

const text = texts.changes;

/** Dialog that imports changes from a CSV file into a draft. */
export function ImportChangesDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const [file, setFile] = useState<File | null>(null);
  const [together, setTogether] = useState(false);
  const importing = useAction(async (chosen: File) =>
    client.allocations.draft({ site, from: { csv: await chosen.text(), name: chosen.name }, together }),
  );
  const run = async () => {
    const draft = file && (await importing.run(file));
    if (!draft) return;
    closeDialog();
    openAllocationDraft(draft.draft);
  };
  return (
    <FormDialog
      title={text.importTitle}
      submitLabel={text.makeDraft}
      disabledReason={file === null ? text.noFile : null}
      action={importing}
      site={site}
      onSubmit={run}
    >
      <p>{text.importText}</p>
      <div className="import-file">
        <FileTrigger
          acceptedFileTypes={['text/csv', 'text/plain', '.csv', '.txt', '.tsv']}
          onSelect={(files) => setFile(files?.[0] ?? null)}
        >
          <Button icon={FileUp}>{text.chooseFile}</Button>
        </FileTrigger>
        <p role="status" className="fineprint">
          {file && text.chosenFile(file.name)}
        </p>
      </div>
      <ToggleSwitch on={together} onChange={setTogether}>
        {text.together}
      </ToggleSwitch>
    </FormDialog>
  );
}
