import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/form-fields.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.importReview;

/** Dialog that records a review that was signed on another computer. */
export function ImportReviewDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const [file, setFile] = useState<File | null>(null);
  const [key, setKey] = useState('');
  const importing = useAction(async (chosen: File) =>
    client.periods.importReview({
      site,
      review: await chosen.text(),
      ...(key.trim() === '' ? {} : { key }),
    }),
  );
  const run = async () => {
    if (file === null || !(await importing.run(file))) return;
    closeDialog();
    showNotice(text.done, 'good');
  };
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.run}
      action={importing}
      disabledReason={file === null ? text.fileMissing : null}
      onSubmit={run}
      site={site}
    >
      <p>{text.text}</p>
      <div className="bank-file">
        <FileTrigger onSelect={(files) => setFile(files?.[0] ?? null)}>
          <Button icon={FileUp} autoFocus>
            {text.choose}
          </Button>
        </FileTrigger>
        <span className="fineprint" role="status">
          {file?.name ?? ''}
        </span>
      </div>
      <TextInput label={text.key} hint={text.keyHint} value={key} onChange={setKey} maxLength={100} />
    </FormDialog>
  );
}
