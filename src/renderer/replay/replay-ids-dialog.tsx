import { FileUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { parseWebhookIds } from './parse-webhook-ids.ts';

const text = texts.replay;
const MAX_IDS = 1_000_000;

/** Dialog for planning a replay of webhook ids from another source, for example the accounting system. */
export function ReplayIdsDialog() {
  const [pasted, setPasted] = useState('');
  const { ids, skipped } = useMemo(() => parseWebhookIds(pasted), [pasted]);
  const reason = ids.length === 0 ? text.idsNone : ids.length > MAX_IDS ? text.idsMany : null;
  const plan = () => {
    if (reason === null) openDialog({ kind: 'replay', selection: { ids } });
  };
  return (
    <FormDialog
      title={text.idsTitle}
      dismissable={pasted === ''}
      submitLabel={text.idsPlan}
      disabledReason={reason}
      onSubmit={plan}
    >
      <p>{text.idsText}</p>
      <MultilineField
        label={text.idsField}
        value={pasted}
        onChange={setPasted}
        onSubmit={plan}
        rows={8}
        autoFocus
        placeholder={'941768437\n941774056'}
      />
      <div className="ids-footer">
        <FileTrigger
          acceptedFileTypes={['text/plain', 'text/csv', '.csv', '.txt', '.tsv']}
          onSelect={(files) => {
            const [file] = files ?? [];
            file?.text().then(setPasted, () => showNotice(texts.controls.noFile, 'bad'));
          }}
        >
          <Button icon={FileUp}>{text.idsFile}</Button>
        </FileTrigger>
        <p role="status" className="fineprint">
          {text.idsFound(ids.length)} {skipped > 0 && text.idsSkipped(skipped)}
        </p>
      </div>
    </FormDialog>
  );
}
