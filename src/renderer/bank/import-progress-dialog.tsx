import { useEffect } from 'react';
import { useContractClient, useJob } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { totalProgress } from '../jobs/job-progress.ts';
import { closeDialog, openFilteredScreen, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.bank;

interface ImportProgressDialogProps {
  readonly site: string;
  readonly job: string;
  readonly fileName: string;
}

/** Shows the progress of an import. If the dialog is closed, the import continues and is shown in the job tray. */
export function ImportProgressDialog({ site, job, fileName }: ImportProgressDialogProps) {
  const client = useContractClient();
  const state = useJob(site, job);
  const endedAt = state?.ended_at ?? null;
  const error = state?.error ?? null;
  useEffect(() => {
    if (endedAt === null || error !== null) return;
    let isClosed = false;
    const showResult = async () => {
      const imported = await client.bank.getImport({ site, job });
      if (isClosed) return;
      closeDialog();
      openFilteredScreen('bank', { import: imported.id });
      showNotice(text.imported(imported.rows.new, imported.account.name), 'good');
    };
    void showResult();
    return () => {
      isClosed = true;
    };
  }, [client, site, job, endedAt, error]);
  const { done, total } = state ? totalProgress(state) : { done: 0, total: null };
  return (
    <Dialog
      title={text.importDialogTitle}
      size="small"
      onClose={closeDialog}
      footer={<Button onPress={closeDialog}>{text.close}</Button>}
    >
      <p>
        {text.importing} {fileName}
      </p>
      <ProgressIndicator label={text.importing} done={done} total={total} />
      {error && <ErrorMessage error={error} site={site} />}
    </Dialog>
  );
}
