import type { ReactNode } from 'react';
import { AllocationDialog } from '../allocations/allocation-dialog.tsx';
import { DraftChangeDialog } from '../allocations/draft-change-dialog.tsx';
import { ImportChangesDialog } from '../allocations/import-changes-dialog.tsx';
import { QuantityDialog } from '../allocations/quantity-dialog.tsx';
import { SendDraftDialog } from '../allocations/send-draft-dialog.tsx';
import { TrackComponentDialog } from '../allocations/track-component-dialog.tsx';
import { DeletePdfsDialog } from '../archive/delete-pdfs-dialog.tsx';
import { ExportDialog, ResumeExportDialog } from '../archive/export-dialog.tsx';
import { PlaceHoldDialog } from '../archive/place-hold-dialog.tsx';
import { ReleaseHoldDialog } from '../archive/release-hold-dialog.tsx';
import { RetentionDialog } from '../archive/retention-dialog.tsx';
import { VerifyExportDialog } from '../archive/verify-export-dialog.tsx';
import { RestoreBackupDialog } from '../backups/restore-backup-dialog.tsx';
import { RestorePackDialog } from '../backups/restore-pack-dialog.tsx';
import { ImportFileDialog } from '../bank/import-file-dialog.tsx';
import { RemoveImportDialog } from '../bank/remove-import-dialog.tsx';
import { CommandPalette } from '../command-palette/command-palette.tsx';
import { ShortcutsDialog } from '../command-palette/shortcuts-dialog.tsx';
import { ExceptionActionDialog } from '../exceptions/action-dialog.tsx';
import { SwitchRuleDialog } from '../exceptions/switch-rule-dialog.tsx';
import { SaveViewDialog } from '../filters/save-view-dialog.tsx';
import { UndoRunDialog } from '../matching/runs/undo-run-dialog.tsx';
import { SplitDialog } from '../matching/split/split-dialog.tsx';
import { WriteOffDialog } from '../matching/write-off-dialog.tsx';
import { type DialogState, useWindowState } from '../navigation/window-state.ts';
import { ExplainItemsDialog } from '../periods/items/explain-dialog.tsx';
import { SignOffDialog } from '../periods/sign-off/sign-off-dialog.tsx';
import { WorkpaperSettingsDialog } from '../periods/workpaper/workpaper-settings-dialog.tsx';
import { CancelReplayDialog } from '../replay/cancel-replay-dialog.tsx';
import { ReplayIdsDialog } from '../replay/replay-ids-dialog.tsx';
import { ReplayPlanDialog } from '../replay/replay-plan-dialog.tsx';
import { ConnectSiteDialog } from '../sites/connect-site-dialog.tsx';
import { EditSiteDialog } from '../sites/edit-site-dialog.tsx';
import { RemoveSiteDialog } from '../sites/remove-site-dialog.tsx';
import { ReplaceKeyDialog } from '../sites/replace-key-dialog.tsx';

type DialogKind = DialogState['kind'];
type DialogOf<Kind extends DialogKind> = Extract<DialogState, { readonly kind: Kind }>;

/** Dialogs that do not need a selected site. */
const windowDialogs = {
  connect: () => <ConnectSiteDialog />,
  editSite: (dialog: DialogOf<'editSite'>) => <EditSiteDialog site={dialog.site} />,
  replaceKey: (dialog: DialogOf<'replaceKey'>) => <ReplaceKeyDialog site={dialog.site} />,
  removeSite: (dialog: DialogOf<'removeSite'>) => <RemoveSiteDialog site={dialog.site} />,
  verifyExport: (dialog: DialogOf<'verifyExport'>) => <VerifyExportDialog initialPath={dialog.path} />,
  saveView: (dialog: DialogOf<'saveView'>) => <SaveViewDialog screen={dialog.screen} />,
  palette: () => <CommandPalette />,
  keys: () => <ShortcutsDialog />,
} satisfies { [Kind in DialogKind]?: (dialog: DialogOf<Kind>) => ReactNode };

type SiteDialogKind = Exclude<DialogKind, keyof typeof windowDialogs>;

/** Dialogs that need a selected site. */
const siteDialogs: {
  readonly [Kind in SiteDialogKind]: (dialog: DialogOf<Kind>, site: string) => ReactNode;
} = {
  replay: (dialog, site) => <ReplayPlanDialog site={site} selection={dialog.selection} />,
  replayIds: () => <ReplayIdsDialog />,
  cancelReplay: (dialog, site) => <CancelReplayDialog site={site} job={dialog.job} />,
  track: (_dialog, site) => <TrackComponentDialog site={site} />,
  changeQuantity: (dialog, site) => (
    <QuantityDialog site={site} subscription={dialog.subscription_id} component={dialog.component_id} />
  ),
  importChanges: (_dialog, site) => <ImportChangesDialog site={site} />,
  sendDraft: (dialog, site) => <SendDraftDialog site={site} draft={dialog.draft} />,
  change: (dialog, site) => <DraftChangeDialog site={site} draft={dialog.draft} ordinal={dialog.ordinal} />,
  allocation: (dialog, site) => <AllocationDialog site={site} allocation={dialog.allocation} />,
  exceptions: (dialog, site) => (
    <ExceptionActionDialog
      site={site}
      act={dialog.act}
      ids={dialog.ids}
      stake={dialog.stake}
      onDone={dialog.onDone}
    />
  ),
  switchRule: (dialog, site) => <SwitchRuleDialog site={site} rule={dialog.rule} />,
  importFile: (_dialog, site) => <ImportFileDialog site={site} />,
  removeImport: (dialog, site) => <RemoveImportDialog site={site} id={dialog.id} lines={dialog.lines} />,
  writeOff: (dialog, site) => (
    <WriteOffDialog site={site} lines={dialog.lines} transactions={dialog.transactions} />
  ),
  split: (dialog, site) => <SplitDialog site={site} source={dialog} />,
  undoRun: (dialog, site) => <UndoRunDialog site={site} run={dialog.run} />,
  restoreBooks: (dialog, site) => (
    <RestoreBackupDialog site={site} from={dialog.from} fingerprint={dialog.fingerprint} when={dialog.when} />
  ),
  restorePack: (_dialog, site) => <RestorePackDialog site={site} />,
  periodMove: (dialog, site) => <SignOffDialog site={site} period={dialog.period} step={dialog.move} />,
  explainItems: (dialog, site) => (
    <ExplainItemsDialog site={site} period={dialog.period} items={dialog.items} />
  ),
  workpaperSettings: (_dialog, site) => <WorkpaperSettingsDialog site={site} />,
  export: (dialog, site) => <ExportDialog site={site} selection={dialog.selection} />,
  resumeExport: (dialog, site) => <ResumeExportDialog site={site} id={dialog.export} />,
  changeRetention: (_dialog, site) => <RetentionDialog site={site} />,
  hold: (dialog, site) => <PlaceHoldDialog site={site} initialStatements={dialog.statements} />,
  release: (dialog, site) => <ReleaseHoldDialog site={site} hold={dialog.hold} />,
  deletePdfs: (_dialog, site) => <DeletePdfsDialog site={site} />,
};

/** Renders the open dialog, if any. */
export function DialogHost() {
  const dialog = useWindowState((state) => state.dialog);
  const site = useWindowState((state) => state.route.site);
  if (dialog === null) return null;
  if (isWindowDialog(dialog)) return (windowDialogs[dialog.kind] as (of: DialogState) => ReactNode)(dialog);
  const render = siteDialogs[dialog.kind] as (of: DialogState, site: string) => ReactNode;
  return site === null ? null : render(dialog, site);
}

function isWindowDialog(dialog: DialogState): dialog is DialogOf<keyof typeof windowDialogs> {
  return dialog.kind in windowDialogs;
}
