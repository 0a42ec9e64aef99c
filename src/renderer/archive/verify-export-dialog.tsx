import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import type { PackVerification } from '../../contract/index.ts';
import { useContractClient, useLatestOnlyAction } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { LabeledValueList } from '../controls/formatted-values.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { useRunOnce } from '../controls/use-run-once.ts';
import { FormDialog } from '../layout/form-dialog.tsx';
import { announceToScreenReader, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { PathField } from './path-field.tsx';

const text = texts.archive.verifyDialog;

interface VerifyExportDialogProps {
  readonly initialPath: string;
  /** True to verify the path at once, for a file that the user opened from the system. */
  readonly startNow: boolean;
}

/** Dialog for verifying an export or evidence pack that is stored on this computer. */
export function VerifyExportDialog({ initialPath, startNow }: VerifyExportDialogProps) {
  const client = useContractClient();
  const [path, setPath] = useState(initialPath);
  const [receipt, setReceipt] = useState('');
  const verifying = useLatestOnlyAction(async () => {
    const known = receipt.trim() === '' ? {} : { receipt };
    const verdict = await client.packs.verify({ path: path.trim(), ...known });
    announceToScreenReader(formatVerdict(verdict));
    return verdict;
  });
  useRunOnce(startNow, verifying.run);
  const pack = verifying.done?.ok === true ? verifying.done.pack : null;
  const change = (to: string) => {
    setPath(to);
    verifying.reset();
  };
  return (
    <FormDialog
      title={text.title}
      cancelLabel={texts.archive.close}
      submitLabel={text.run}
      disabledReason={path.trim() === '' ? texts.archive.exportDialog.destinationMissing : null}
      action={verifying}
      onSubmit={verifying.run}
      tools={
        pack?.state === 'submitted' && (
          <Button
            onPress={() =>
              openDialog({ kind: 'reviewPack', path: path.trim(), certification: pack.certification })
            }
          >
            {text.review}
          </Button>
        )
      }
    >
      <p>{text.text}</p>
      <PathField label={text.path} value={path} onChange={change} autoFocus={initialPath === ''} />
      <TextInput
        label={text.receipt}
        hint={text.receiptHint}
        value={receipt}
        onChange={(to) => {
          setReceipt(to);
          verifying.reset();
        }}
        maxLength={100}
      />
      {verifying.running && (
        <>
          <p role="status">{text.reading}</p>
          <ProgressIndicator label={text.reading} done={0} total={null} />
        </>
      )}
      {verifying.done && <Verdict verdict={verifying.done} />}
    </FormDialog>
  );
}

function formatVerdict({ ok, files, bytes, wrong, audit }: PackVerification): string {
  if (ok) return text.intact(files, bytes);
  return wrong > 0 ? text.wrong(wrong, files) : (audit?.reason ?? '');
}

function Verdict({ verdict }: { readonly verdict: PackVerification }) {
  const { ok, checksum, info, problems, wrong, audit } = verdict;
  return (
    <>
      <StatusLabel
        tone={ok ? 'good' : 'bad'}
        icon={ok ? CircleCheck : CircleX}
        text={formatVerdict(verdict)}
      />
      {problems.length > 0 && (
        <div className="archive-list">
          <DataTable
            titles={[text.columns.path, text.columns.what]}
            rows={problems.slice(0, 100).map(({ path, message }) => ({
              key: `${path} ${message}`,
              cells: [path, message],
            }))}
          />
          {wrong > 100 && <p className="fineprint">{text.more(wrong - 100)}</p>}
        </div>
      )}
      <LabeledValueList
        rows={[
          audit === null
            ? null
            : [text.auditLog, audit.ok ? text.logIntact(audit.entries, audit.proven_entries) : audit.reason],
          ...(audit?.time_stamps ?? []).map(
            (stamp) => [text.timeStamp, texts.audit.describeTimeStamp(stamp)] as const,
          ),
          ...info.map(({ label, value }) => [label, value] as const),
          checksum === null
            ? null
            : [
                texts.archive.exportDialog.results.checksum,
                <ExportChecksum key="checksum" checksum={checksum} />,
              ],
        ]}
      />
    </>
  );
}

/** Shows the checksum of an export with a copy button. */
export function ExportChecksum({ checksum }: { readonly checksum: string }) {
  return (
    <span className="archive-checksum">
      <code>{checksum}</code>
      <CopyButton text={checksum} label={texts.archive.copyChecksum} />
    </span>
  );
}
