import { AllocationDialog } from '../allocations/allocation-dialog.tsx';
import { ChangeDialog } from '../allocations/change-dialog.tsx';
import { ImportDialog } from '../allocations/import-dialog.tsx';
import { QuantityDialog } from '../allocations/quantity-dialog.tsx';
import { SendDialog } from '../allocations/send-dialog.tsx';
import { TrackDialog } from '../allocations/track-dialog.tsx';
import { DeleteDialog } from '../archive/delete-dialog.tsx';
import { ExportDialog, GoOnDialog } from '../archive/export-dialog.tsx';
import { HoldDialog } from '../archive/hold-dialog.tsx';
import { ReleaseDialog } from '../archive/release-dialog.tsx';
import { RetainDialog } from '../archive/retain-dialog.tsx';
import { VerifyDialog } from '../archive/verify-dialog.tsx';
import { PackDialog } from '../backups/pack-dialog.tsx';
import { RestoreDialog } from '../backups/restore-dialog.tsx';
import { ImportFileDialog } from '../bank/import-file-dialog.tsx';
import { RemoveImportDialog } from '../bank/remove-import-dialog.tsx';
import { ActDialog } from '../exceptions/act-dialog.tsx';
import { SwitchRuleDialog } from '../exceptions/switch-rule-dialog.tsx';
import { SaveViewDialog } from '../filters/save-view.tsx';
import { DivideDialog } from '../matching/divide/divide-dialog.tsx';
import { UndoRunDialog } from '../matching/runs/undo-run-dialog.tsx';
import { WriteOffDialog } from '../matching/write-off-dialog.tsx';
import { KeyList } from '../palette/key-list.tsx';
import { Palette } from '../palette/palette.tsx';
import { ExplainDialog } from '../periods/explain-dialog.tsx';
import { MoveDialog } from '../periods/move-dialog.tsx';
import { SettingsDialog } from '../periods/settings-dialog.tsx';
import { CancelReplayDialog } from '../replay/cancel-replay-dialog.tsx';
import { IdsDialog } from '../replay/ids-dialog.tsx';
import { PlanSheet } from '../replay/plan-sheet.tsx';
import { ConnectDialog } from '../sites/connect-dialog.tsx';
import { EditSiteDialog } from '../sites/edit-site-dialog.tsx';
import { RemoveSiteDialog } from '../sites/remove-site-dialog.tsx';
import { ReplaceKeyDialog } from '../sites/replace-key-dialog.tsx';
import { useView } from '../view/view.ts';

/** The one dialog that is open, if any. */
export function Dialogs() {
  const dialog = useView((view) => view.dialog);
  const site = useView((view) => view.route.site);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'connect':
      return <ConnectDialog />;
    case 'editSite':
      return <EditSiteDialog site={dialog.site} />;
    case 'replaceKey':
      return <ReplaceKeyDialog site={dialog.site} />;
    case 'removeSite':
      return <RemoveSiteDialog site={dialog.site} />;
    case 'replay':
      return site && <PlanSheet site={site} selection={dialog.selection} />;
    case 'replayIds':
      return site && <IdsDialog />;
    case 'cancelReplay':
      return site && <CancelReplayDialog site={site} job={dialog.job} />;
    case 'track':
      return site && <TrackDialog site={site} />;
    case 'changeQuantity':
      return (
        site && (
          <QuantityDialog site={site} subscription={dialog.subscription_id} component={dialog.component_id} />
        )
      );
    case 'importChanges':
      return site && <ImportDialog site={site} />;
    case 'sendDraft':
      return site && <SendDialog site={site} draft={dialog.draft} />;
    case 'change':
      return site && <ChangeDialog site={site} draft={dialog.draft} ordinal={dialog.ordinal} />;
    case 'allocation':
      return site && <AllocationDialog site={site} allocation={dialog.allocation} />;
    case 'exceptions':
      return (
        site && (
          <ActDialog
            site={site}
            act={dialog.act}
            ids={dialog.ids}
            stake={dialog.stake}
            onDone={dialog.onDone}
          />
        )
      );
    case 'switchRule':
      return site && <SwitchRuleDialog site={site} rule={dialog.rule} />;
    case 'importFile':
      return site && <ImportFileDialog site={site} />;
    case 'removeImport':
      return site && <RemoveImportDialog site={site} id={dialog.id} lines={dialog.lines} />;
    case 'writeOff':
      return site && <WriteOffDialog site={site} lines={dialog.lines} transactions={dialog.transactions} />;
    case 'divide':
      return site && <DivideDialog site={site} dividing={dialog} />;
    case 'undoRun':
      return site && <UndoRunDialog site={site} run={dialog.run} />;
    case 'restoreBooks':
      return site && <RestoreDialog site={site} from={dialog.from} shown={dialog.shown} when={dialog.when} />;
    case 'restorePack':
      return site && <PackDialog site={site} />;
    case 'periodMove':
      return site && <MoveDialog site={site} period={dialog.period} move={dialog.move} />;
    case 'explainItems':
      return site && <ExplainDialog site={site} period={dialog.period} items={dialog.items} />;
    case 'workpaperSettings':
      return site && <SettingsDialog site={site} />;
    case 'export':
      return site && <ExportDialog site={site} selection={dialog.selection} />;
    case 'goOnExport':
      return site && <GoOnDialog site={site} id={dialog.export} />;
    case 'verifyBag':
      return <VerifyDialog given={dialog.path} />;
    case 'retain':
      return site && <RetainDialog site={site} />;
    case 'hold':
      return site && <HoldDialog site={site} given={dialog.statements} />;
    case 'release':
      return site && <ReleaseDialog site={site} hold={dialog.hold} />;
    case 'deletePdfs':
      return site && <DeleteDialog site={site} />;
    case 'saveView':
      return <SaveViewDialog screen={dialog.screen} />;
    case 'palette':
      return <Palette />;
    case 'keys':
      return <KeyList />;
  }
}
