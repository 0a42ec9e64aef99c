import { useState } from 'react';
import type { ArchiveExport } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { FormDialog } from '../layout/form-dialog.tsx';
import type { StatementExportSelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ExportForm } from './export-form.tsx';
import {
  createExportOptions,
  defaultExportPath,
  type ExportOptions,
  toExportPlanInput,
  validateExportOptions,
} from './export-options.ts';
import { PlannedExportDialog } from './planned-export-dialog.tsx';

const text = texts.archive.exportDialog;

interface ExportDialogProps {
  readonly site: string;
  /** Preset selection, or null if the user selects in the dialog. */
  readonly selection: StatementExportSelection | null;
}

/** Dialog that plans an export and then shows its preview, progress and result. */
export function ExportDialog({ site, selection }: ExportDialogProps) {
  const client = useContractClient();
  const [options, setOptions] = useState<ExportOptions>(() => createExportOptions(selection));
  const [planned, setPlanned] = useState<ArchiveExport | null>(null);
  const { data: documents } = useQuery('archive.browse', {});
  const path =
    options.path ?? defaultExportPath(documents, options.kind, new Date().toISOString().slice(0, 10));
  const planning = useAction(async () =>
    setPlanned(await client.archive.plan({ site, ...toExportPlanInput(options, path) })),
  );
  if (planned !== null) {
    const returnToOptions = () => {
      setPlanned(null);
      // Discards the plan that the user rejected. The backend refuses if the export has started in the meantime.
      client.archive.discard({ site, export: planned.export }).catch(() => undefined);
    };
    return <PlannedExportDialog site={site} planned={planned} onBack={returnToOptions} />;
  }
  return (
    <FormDialog
      title={text.title}
      size="wide"
      dismissable={options.path === null && options.template === ''}
      submitLabel={text.preview}
      disabledReason={validateExportOptions(options, path)}
      action={planning}
      site={site}
      onSubmit={planning.run}
    >
      <ExportForm site={site} options={options} path={path} onChange={setOptions} />
    </FormDialog>
  );
}

/** Dialog that resumes a planned or stopped export. */
export function ResumeExportDialog({ site, id }: { readonly site: string; readonly id: string }) {
  const { data: planned } = useQuery('archive.get', { site, export: id });
  return planned ? <PlannedExportDialog site={site} planned={planned} /> : null;
}
