import { useState } from 'react';
import type { ArchiveExport } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, type ExportSelection } from '../navigation/window-state.ts';
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

const text = texts.archive.exporting;

interface ExportDialogProps {
  readonly site: string;
  /** Null where it is to be asked for. */
  readonly selection: ExportSelection | null;
}

/** From a choice of statements to a bag with its receipt: what and where, what it would be, and the writing. */
export function ExportDialog({ site, selection }: ExportDialogProps) {
  const client = useContractClient();
  const [orders, setOrders] = useState<ExportOptions>(() => createExportOptions(selection));
  const [planned, setPlanned] = useState<ArchiveExport | null>(null);
  const { data: documents } = useQuery('archive.browse', {});
  const path =
    orders.path ?? defaultExportPath(documents, orders.kind, new Date().toISOString().slice(0, 10));
  const planning = useAction(async () =>
    setPlanned(await client.archive.plan({ site, ...toExportPlanInput(orders, path) })),
  );
  if (planned !== null) {
    const back = () => {
      setPlanned(null);
      // What was looked at and not wanted so is no export; one that was begun meanwhile stays.
      client.archive.discard({ site, export: planned.export }).catch(() => undefined);
    };
    return <PlannedExportDialog site={site} planned={planned} onBack={back} />;
  }
  return (
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      dismissable={orders.path === null && orders.template === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            isPending={planning.running}
            disabledReason={validateExportOptions(orders, path)}
            onPress={() => void planning.run()}
          >
            {text.preview}
          </Button>
        </>
      }
    >
      <ExportForm site={site} orders={orders} path={path} onChange={setOrders} />
      {planning.error && <ErrorMessage error={planning.error} site={site} />}
    </Dialog>
  );
}

/** Goes on with an export that was planned, or stopped. */
export function ResumeExportDialog({ site, id }: { readonly site: string; readonly id: string }) {
  const { data: planned } = useQuery('archive.get', { site, export: id });
  return planned ? <PlannedExportDialog site={site} planned={planned} /> : null;
}
