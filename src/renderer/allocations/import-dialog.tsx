import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Toggle } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { openDraft } from './place.ts';

import './allocations.css';

const text = words.changes;

/** A CSV of many changes, made into a draft. */
export function ImportDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const [file, setFile] = useState<File | null>(null);
  const [together, setTogether] = useState(false);
  const importing = useAction(async (chosen: File) =>
    client.allocations.draft({ site, from: { csv: await chosen.text(), name: chosen.name }, together }),
  );
  const run = async () => {
    const draft = file && (await importing.run(file));
    if (!draft) return;
    closeDialog();
    openDraft(draft.draft);
  };
  return (
    <Dialog
      title={text.importTitle}
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={importing.running}
            reason={file === null ? text.noFile : null}
            onPress={() => void run()}
          >
            {text.makeDraft}
          </Button>
        </>
      }
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
      <Toggle on={together} onChange={setTogether}>
        {text.together}
      </Toggle>
      {importing.error && <ErrorNote error={importing.error} site={site} />}
    </Dialog>
  );
}
