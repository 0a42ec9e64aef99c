import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import type { BankAccount, ImportPlan, SampleBankFile } from '../../contract/index.ts';
import { useAction, useContractClient, useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { useRunOnce } from '../controls/use-run-once.ts';
import { ErrorMessage } from '../errors/error-message.tsx';
import { getTotalJobProgress } from '../jobs/job-progress.ts';
import { closeDialog, openFilteredList, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { BankProfilePanel } from './bank-profile-panel.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportSettingsForm, type ImportSettingsValue, NEW_ACCOUNT_KEY } from './import-settings.tsx';
import { SampleFiles } from './sample-files.tsx';
import { type ImportDraftState, useImportDraft } from './use-import-draft.ts';
import './bank.css';

const text = texts.bank;
const noAccounts: readonly BankAccount[] = [];

interface ImportFileDialogProps {
  readonly site: string;
  /** File that the user opened from the system. The dialog reads it as if it had been dropped here. */
  readonly file?: File;
}

/** Dialog for importing a bank file: it reads the file, previews the import, and starts it. */
export function ImportFileDialog({ site, file: openedFile }: ImportFileDialogProps) {
  const client = useContractClient();
  const { data: accounts } = useQuery('bank.accounts', { site });
  const [job, setJob] = useState<string | null>(null);
  const state = useImportDraft(site, accounts ?? noAccounts);
  const { file, plan, draft } = state;
  useRunOnce(accounts !== undefined, () => openedFile && state.openFile(openedFile));
  const importing = useAction(({ plan: id }: ImportPlan) => client.bank.import({ site, plan: id }));
  const disabledReason = blockedReason(state);
  const startImport = async () => {
    if (disabledReason !== null) return;
    const finalPlan = await state.finalPlan();
    const started = finalPlan && (await importing.run(finalPlan));
    if (started) setJob(started.job);
  };
  if (job !== null && plan !== null) {
    return <ImportProgressDialog site={site} job={job} fileName={plan.file.name} />;
  }
  const error = state.error ?? importing.error;
  return (
    <Dialog
      title={text.importDialogTitle}
      size={plan === null ? 'regular' : 'large'}
      onClose={closeDialog}
      dismissable={file === null}
      footer={
        <>
          {plan !== null && disabledReason !== null && (
            <span className="fineprint push">{disabledReason}</span>
          )}
          <Button onPress={closeDialog}>{text.cancel}</Button>
          <Button
            kind="primary"
            isPending={importing.running || state.isReading}
            disabledReason={disabledReason}
            onPress={() => void startImport()}
          >
            {plan?.rows.new === 0 && plan.blocker === null
              ? text.applyBalances
              : text.apply(plan?.rows.new ?? 0)}
          </Button>
        </>
      }
    >
      <FileDropZone site={site} accounts={accounts ?? noAccounts} state={state} />
      <DraftSettings site={site} accounts={accounts ?? noAccounts} state={state} />
      {error && <ErrorMessage error={error} site={site} />}
      {plan && (
        <ImportPreview
          site={site}
          plan={plan}
          answers={draft.answers}
          includedDuplicates={draft.includedDuplicates}
          onIncludeDuplicates={(includedDuplicates) => state.change({ includedDuplicates })}
          onAnswer={(key, value) => state.change({ answers: { ...draft.answers, [key]: value } })}
        />
      )}
    </Dialog>
  );
}

/** Returns the reason why the import cannot start, or null if it can. */
function blockedReason({ file, draft, plan }: ImportDraftState): string | null {
  if (file === null) return text.noFile;
  if (draft.account === NEW_ACCOUNT_KEY && draft.name.trim() === '') return text.nameMissing;
  return plan === null ? text.reading : plan.blocker;
}

interface DraftProps {
  readonly site: string;
  readonly accounts: readonly BankAccount[];
  readonly state: ImportDraftState;
}

/** Lets the user choose a file with a file picker, by drag and drop, or from the demo's sample files. */
function FileDropZone({ site, accounts, state }: DraftProps) {
  const { file, openFile } = state;
  const { data: samples = [] } = useQuery('bank.offered', { site });
  const openDemoFile = ({ name: fileName, text: content, account }: SampleBankFile) => {
    const existing = accounts.find(({ name }) => name === account.name);
    void openFile(new File([content], fileName, { type: 'text/csv' }), {
      account: existing ? String(existing.id) : NEW_ACCOUNT_KEY,
      name: account.name,
      kind: account.kind,
    });
    // Moves the focus to the file button, because the button that was clicked disappears.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.bank-file button')?.focus());
  };
  return (
    <DropZone
      className="bank-drop"
      aria-label={text.dropZone}
      onDrop={async ({ items }) => {
        const dropped = items.find((item) => item.kind === 'file');
        if (dropped) await openFile(await dropped.getFile());
      }}
    >
      {file === null && <p>{text.importDialogText}</p>}
      <div className="bank-file">
        <FileTrigger onSelect={(files) => files?.[0] && void openFile(files[0])}>
          <Button icon={FileUp} kind={file === null ? 'primary' : 'plain'} autoFocus>
            {file === null ? text.chooseFile : text.otherFile}
          </Button>
        </FileTrigger>
        <span className="fineprint" role="status">
          {fileStatus(state)}
        </span>
      </div>
      {file === null && <SampleFiles files={samples} onChoose={openDemoFile} />}
    </DropZone>
  );
}

function fileStatus({ file, uploadedShare, isReading }: ImportDraftState): string {
  if (file === null) return text.dropHere;
  if (uploadedShare !== null) return text.uploading(Math.floor(uploadedShare * 100));
  return isReading ? text.reading : file.name;
}

/** Shows the fields for the target account and the import profile. */
function DraftSettings({ site, accounts, state: { draft, plan, change } }: DraftProps) {
  const { data: profiles = [] } = useQuery('bank.profiles', { site });
  /** Profile chosen in the list. Choosing a different one discards unsaved edits in the profile panel. */
  const [chosenProfile, setChosenProfile] = useState('');
  const changeSettings = (changed: Partial<ImportSettingsValue>) => {
    if (changed.profile !== undefined) setChosenProfile(changed.profile);
    change(changed.profile === undefined ? changed : { ...changed, customProfile: null });
  };
  return (
    <>
      <ImportSettingsForm
        value={{
          account: draft.account ?? String(plan?.account.id ?? ''),
          name: draft.name,
          kind: draft.kind ?? plan?.account.kind ?? 'bank',
          profile: draft.profile,
        }}
        accounts={accounts}
        detectedBy={plan?.account.by ?? null}
        profiles={plan?.profile == null ? null : profiles}
        onChange={changeSettings}
      />
      {plan?.profile != null && (
        <BankProfilePanel
          key={`${plan.file.sha256} ${chosenProfile}`}
          site={site}
          profile={plan.profile}
          saved={profiles.find(({ name, built_in }) => name === draft.profile && !built_in) ?? null}
          onProfileChange={(customProfile) => change({ customProfile })}
          onSaved={(name) => change({ customProfile: null, profile: name ?? '' })}
        />
      )}
    </>
  );
}

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
      openFilteredList('bank', { import: imported.id });
      showNotice(text.imported(imported.rows.new, imported.account.name), 'good');
    };
    void showResult();
    return () => {
      isClosed = true;
    };
  }, [client, site, job, endedAt, error]);
  const { done, total } = state ? getTotalJobProgress(state) : { done: 0, total: null };
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
