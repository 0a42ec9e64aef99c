import type { ComponentType, ReactNode } from 'react';
import { AllocationDialog } from '../allocations/allocation-dialog.tsx';
import { DraftChangeDialog } from '../allocations/draft-change-dialog.tsx';
import { DraftQuantitiesDialog } from '../allocations/draft-quantities-dialog.tsx';
import { ImportChangesDialog } from '../allocations/import-changes-dialog.tsx';
import { SendDraftDialog } from '../allocations/send-draft-dialog.tsx';
import { TrackComponentDialog } from '../allocations/track-component-dialog.tsx';
import { DeletePdfsDialog } from '../archive/delete-pdfs-dialog.tsx';
import { ExportDialog, ResumeExportDialog } from '../archive/export-dialog.tsx';
import { PlaceLegalHoldDialog, ReleaseLegalHoldDialog } from '../archive/place-legal-hold-dialog.tsx';
import { RetentionDialog } from '../archive/retention-dialog.tsx';
import { VerifyExportDialog } from '../archive/verify-export-dialog.tsx';
import { RestoreBackupDialog } from '../backups/backup-detail.tsx';
import { RestoreEvidencePackDialog } from '../backups/restore-pack-dialog.tsx';
import { AddBankStatementDialog, RemoveBankStatementDialog } from '../bank/bank-statements.tsx';
import { RemoveBankImportDialog } from '../bank/import-detail.tsx';
import { ImportFileDialog } from '../bank/import-file-dialog.tsx';
import { CommandPalette } from '../command-palette/command-palette.tsx';
import { ExceptionActionDialog } from '../exceptions/exception-action-dialog.tsx';
import { ToggleRuleDialog } from '../exceptions/toggle-rule-dialog.tsx';
import { SaveViewDialog } from '../filters/save-view-dialog.tsx';
import { HelpDialog } from '../help/help-dialog.tsx';
import { UndoMatchingRunDialog } from '../matching/runs/runs-pane.tsx';
import { SplitDialog } from '../matching/split/split-dialog.tsx';
import { WriteOffDialog } from '../matching/write-off-dialog.tsx';
import { type DialogState, useWindowState } from '../navigation/window-state.ts';
import { IncidentDialog } from '../outages/incident-dialog.tsx';
import { MissingWebhooksDialog } from '../outages/missing-webhooks-dialog.tsx';
import { ChecklistStepDialog } from '../periods/checklist/checklist-step-dialog.tsx';
import { ExplainItemsDialog } from '../periods/items/explain-items-dialog.tsx';
import { AddJournalEntryDialog } from '../periods/ledger/add-journal-entry-dialog.tsx';
import { ImportLedgerDialog } from '../periods/ledger/import-ledger-dialog.tsx';
import { DiscardJournalEntryDialog } from '../periods/ledger/journal-panel.tsx';
import { RemoveLedgerImportDialog } from '../periods/ledger/ledger-files-panel.tsx';
import { ImportReviewDialog } from '../periods/sign-off/import-review-dialog.tsx';
import { ReviewPackDialog } from '../periods/sign-off/review-pack-dialog.tsx';
import { SignOffDialog } from '../periods/sign-off/sign-off-dialog.tsx';
import { WorkpaperSettingsDialog } from '../periods/workpaper/workpaper-settings-dialog.tsx';
import { CancelReplayDialog } from '../replay/cancel-replay-dialog.tsx';
import { ReplayIdsDialog } from '../replay/replay-ids-dialog.tsx';
import { ReplayPlanDialog } from '../replay/replay-plan-dialog.tsx';
import {
  ConnectSiteDialog,
  EditSiteDialog,
  RemoveSiteDialog,
  ReplaceKeyDialog,
} from '../sites/site-dialogs.tsx';

type DialogKind = DialogState['kind'];
type DialogOf<Kind extends DialogKind> = Extract<DialogState, { readonly kind: Kind }>;

/** Dialogs that do not need a selected site. */
const windowDialogs = {
  connect: ConnectSiteDialog,
  editSite: EditSiteDialog,
  replaceKey: ReplaceKeyDialog,
  removeSite: RemoveSiteDialog,
  verifyExport: ({ path, startNow = false }: DialogOf<'verifyExport'>) => (
    <VerifyExportDialog initialPath={path} startNow={startNow} />
  ),
  reviewPack: ReviewPackDialog,
  saveView: SaveViewDialog,
  palette: CommandPalette,
  help: HelpDialog,
} satisfies { [Kind in DialogKind]?: (dialog: DialogOf<Kind>) => ReactNode };

type SiteDialogKind = Exclude<DialogKind, keyof typeof windowDialogs>;

/** Dialogs that need a selected site. */
const siteDialogs: {
  readonly [Kind in SiteDialogKind]: (props: DialogOf<Kind> & { readonly site: string }) => ReactNode;
} = {
  replay: ReplayPlanDialog,
  replayIds: ReplayIdsDialog,
  cancelReplay: CancelReplayDialog,
  incident: IncidentDialog,
  missingWebhooks: MissingWebhooksDialog,
  track: TrackComponentDialog,
  changeQuantity: ({ site, subscription_id, component_id }) => (
    <DraftQuantitiesDialog site={site} subscription={subscription_id} component={component_id} />
  ),
  importChanges: ImportChangesDialog,
  sendDraft: SendDraftDialog,
  change: DraftChangeDialog,
  allocation: AllocationDialog,
  exceptions: ExceptionActionDialog,
  switchRule: ToggleRuleDialog,
  importFile: ImportFileDialog,
  removeImport: RemoveBankImportDialog,
  addBankStatement: AddBankStatementDialog,
  removeBankStatement: RemoveBankStatementDialog,
  writeOff: WriteOffDialog,
  split: (props) => <SplitDialog site={props.site} source={props} />,
  undoRun: UndoMatchingRunDialog,
  restoreBooks: RestoreBackupDialog,
  restorePack: RestoreEvidencePackDialog,
  periodMove: ({ site, period, move }) => <SignOffDialog site={site} period={period} step={move} />,
  importReview: ImportReviewDialog,
  explainItems: ExplainItemsDialog,
  checklistStep: ChecklistStepDialog,
  workpaperSettings: WorkpaperSettingsDialog,
  importLedger: ImportLedgerDialog,
  removeLedgerImport: RemoveLedgerImportDialog,
  addJournalEntry: AddJournalEntryDialog,
  discardJournalEntry: DiscardJournalEntryDialog,
  export: ExportDialog,
  resumeExport: (props) => <ResumeExportDialog site={props.site} id={props.export} />,
  changeRetention: RetentionDialog,
  hold: ({ site, statements }) => <PlaceLegalHoldDialog site={site} initialStatements={statements} />,
  release: ReleaseLegalHoldDialog,
  deletePdfs: DeletePdfsDialog,
};

/** Renders the open dialog, if any. */
export function DialogHost() {
  const dialog = useWindowState((state) => state.dialog);
  const site = useWindowState((state) => state.route.site);
  if (dialog === null) return null;
  if (isWindowDialog(dialog)) {
    const WindowDialog = windowDialogs[dialog.kind] as ComponentType<DialogState>;
    return <WindowDialog {...dialog} />;
  }
  const SiteDialog = siteDialogs[dialog.kind] as ComponentType<DialogState & { readonly site: string }>;
  return site === null ? null : <SiteDialog {...dialog} site={site} />;
}

function isWindowDialog(dialog: DialogState): dialog is DialogOf<keyof typeof windowDialogs> {
  return dialog.kind in windowDialogs;
}
