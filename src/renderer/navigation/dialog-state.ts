import type {
  AllocationDetail,
  ArchiveHold,
  BankLine,
  Certification,
  ChecklistStep,
  CheckRule,
  ContractInputs,
  JournalEntry,
  LedgerImport,
  MatchGroupDetail,
  MatchRun,
  MissingWebhookRange,
  OutstandingItem,
  Payment,
  ReplayPlan,
  StatementFilter,
  WebhookFilter,
} from '../../contract/index.ts';
import type { FilterableScreen } from './list-filters.ts';

/** Topic of the help dialog. */
export type HelpTopic = 'screen' | 'apiKey' | 'news';

/** Open dialog and its parameters. */
export type DialogState =
  | { readonly kind: 'connect' }
  | { readonly kind: 'editSite'; readonly site: string }
  | { readonly kind: 'replaceKey'; readonly site: string }
  | { readonly kind: 'removeSite'; readonly site: string }
  | { readonly kind: 'replay'; readonly selection: ReplaySelection }
  | { readonly kind: 'replayIds' }
  | { readonly kind: 'incident'; readonly id: number }
  | { readonly kind: 'missingWebhooks'; readonly range: MissingWebhookRange }
  | { readonly kind: 'cancelReplay'; readonly job: string }
  | { readonly kind: 'track' }
  | { readonly kind: 'changeQuantity'; readonly subscription_id: number; readonly component_id: number }
  | { readonly kind: 'importChanges' }
  | { readonly kind: 'sendDraft'; readonly draft: string }
  | { readonly kind: 'change'; readonly draft: string; readonly ordinal: number }
  | { readonly kind: 'allocation'; readonly allocation: AllocationDetail }
  | {
      readonly kind: 'exceptions';
      readonly act: ExceptionAction;
      readonly ids: readonly number[];
      readonly stake: string | null;
      onDone(): void;
    }
  | { readonly kind: 'switchRule'; readonly rule: CheckRule }
  | { readonly kind: 'importFile'; readonly file?: File }
  | { readonly kind: 'addBankStatement' }
  | { readonly kind: 'removeBankStatement'; readonly id: number }
  | { readonly kind: 'removeImport'; readonly id: number; readonly lines: number }
  | {
      readonly kind: 'writeOff';
      readonly lines: readonly number[];
      readonly transactions: readonly number[];
      onDone(): void;
    }
  | ({ readonly kind: 'split' } & ManualSplitSource)
  | { readonly kind: 'undoRun'; readonly run: MatchRun }
  | {
      readonly kind: 'restoreBooks';
      readonly from: ContractInputs['backups']['restore']['from'];
      readonly fingerprint: string;
      readonly when: string;
    }
  | { readonly kind: 'restorePack' }
  | { readonly kind: 'periodMove'; readonly period: string; readonly move: SignOffStep }
  | { readonly kind: 'reviewPack'; readonly path: string; readonly certification: Certification }
  | { readonly kind: 'importReview' }
  | { readonly kind: 'explainItems'; readonly period: string; readonly items: readonly OutstandingItem[] }
  | { readonly kind: 'checklistStep'; readonly period: string; readonly step: ChecklistStep | null }
  | { readonly kind: 'workpaperSettings' }
  | { readonly kind: 'importLedger' }
  | { readonly kind: 'removeLedgerImport'; readonly ledgerImport: LedgerImport }
  | { readonly kind: 'addJournalEntry'; readonly period: string }
  | { readonly kind: 'discardJournalEntry'; readonly entry: JournalEntry }
  | { readonly kind: 'export'; readonly selection: StatementExportSelection | null }
  | { readonly kind: 'resumeExport'; readonly export: string }
  | { readonly kind: 'verifyExport'; readonly path: string; readonly startNow?: boolean }
  | { readonly kind: 'changeRetention' }
  | { readonly kind: 'hold'; readonly statements: readonly number[] }
  | { readonly kind: 'release'; readonly hold: ArchiveHold }
  | { readonly kind: 'deletePdfs' }
  | { readonly kind: 'saveView'; readonly screen: FilterableScreen }
  | { readonly kind: 'palette' }
  | { readonly kind: 'help'; readonly topic: HelpTopic };

/** Source of a manual split: either an existing match, or bank lines and payments that the user selected. */
export type ManualSplitSource =
  | { readonly group: MatchGroupDetail }
  | {
      readonly group: null;
      readonly lines: readonly BankLine[];
      readonly payments: readonly Payment[];
      onDone(): void;
    };

export type SignOffStep = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** Action on exceptions for which the user can enter a comment. */
export type ExceptionAction = 'accept' | 'reopen' | 'assign' | 'comment';

/** Webhooks to replay, given by a filter, by ids, or by an existing plan. */
export type ReplaySelection =
  | { readonly filter: WebhookFilter }
  | { readonly ids: number[] }
  | { readonly plan: ReplayPlan };

/** Statements to export: either all statements that match a filter, or the selected ones. */
export type StatementExportSelection = { readonly filter: StatementFilter } | { readonly ids: number[] };
