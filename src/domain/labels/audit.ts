import type { AuditTimeStamp } from '../../contract/index.ts';

const auditActionLabels: ReadonlyMap<string, string> = new Map([
  ['sites.add', 'Site connected'],
  ['sites.update', 'Site changed'],
  ['sites.replaceKey', 'API key replaced'],
  ['sites.remove', 'Site removed'],
  ['sites.setSharedKey', 'Shared key saved'],
  ['exceptions.accept', 'Exception accepted'],
  ['exceptions.reopen', 'Exception reopened'],
  ['exceptions.assign', 'Exception assigned'],
  ['comments.add', 'Comment added'],
  ['comments.restore', 'Comment restored from a pack'],
  ['exceptions.restore', 'Exception decision restored from a pack'],
  ['check.switch', 'Rule switched on or off'],
  ['replay.plan', 'Replay planned'],
  ['replay.discardPlan', 'Replay plan discarded'],
  ['replay.run', 'Replay started'],
  ['replay.pause', 'Replay paused'],
  ['replay.resume', 'Replay resumed'],
  ['replay.cancel', 'Replay canceled'],
  ['replay.end', 'Replay ended'],
  ['incidents.add', 'Incident added'],
  ['incidents.update', 'Incident changed'],
  ['incidents.acknowledge', 'Incident acknowledged'],
  ['incidents.resolve', 'Incident resolved'],
  ['incidents.reopen', 'Incident reopened'],
  ['alerts.saveSettings', 'Alert settings changed'],
  ['alerts.test', 'Test alert sent'],
  ['allocations.draft', 'Allocation changes drafted'],
  ['allocations.discard', 'Draft discarded'],
  ['allocations.send', 'Draft sent'],
  ['allocations.pause', 'Sending paused'],
  ['allocations.resume', 'Sending resumed'],
  ['allocations.cancel', 'Sending canceled'],
  ['allocations.change', 'Quantity changed'],
  ['allocations.mark-applied', 'Change marked as applied'],
  ['allocations.mark-not-applied', 'Change marked as not applied'],
  ['archive.plan', 'Export planned'],
  ['archive.export', 'Statements exported'],
  ['archive.discard', 'Export discarded'],
  ['archive.retain', 'Retention changed'],
  ['archive.hold', 'Hold placed'],
  ['archive.release', 'Hold released'],
  ['archive.delete', 'PDFs deleted'],
  ['bank.import', 'Bank file imported'],
  ['bank.remove-import', 'Import removed'],
  ['bank.add-statement', 'Bank statement entered'],
  ['bank.remove-statement', 'Bank statement removed'],
  ['bank.save-account', 'Account saved'],
  ['bank.remove-account', 'Account removed'],
  ['bank.save-profile', 'Profile saved'],
  ['bank.remove-profile', 'Profile removed'],
  ['match.begin', 'Matching run started'],
  ['match.run', 'Matching run completed'],
  ['match.stopped', 'Matching run stopped'],
  ['match.undo-run', 'Matching run undone'],
  ['match.confirm', 'Match confirmed'],
  ['match.decline', 'Match declined'],
  ['match.undo', 'Match undone'],
  ['match.make', 'Matched manually'],
  ['match.write-off', 'Written off'],
  ['match.split', 'Match split'],
  ['match.changed', 'Match undone because its rows changed'],
  ['match.not-found-again', 'Match not reproduced by the latest run'],
  ['match.add-category', 'Category added'],
  ['match.remove-category', 'Category removed'],
  ['match.save-rule', 'Match rule saved'],
  ['match.remove-rule', 'Match rule removed'],
  ['match.order-rules', 'Match rules reordered'],
  ['match.accept-rule', 'Suggested match rule accepted'],
  ['match.restore', 'Match restored from a pack'],
  ['ledger.import', 'Ledger file imported'],
  ['ledger.remove-import', 'Ledger import removed'],
  ['ledger.map-account', 'Ledger account mapped'],
  ['journal.add', 'Journal entry added'],
  ['journal.approve', 'Journal entry approved'],
  ['journal.discard', 'Journal entry discarded'],
  ['journal.export', 'Journal entries exported'],
  ['journal.post', 'Journal entry found in the ledger'],
  ['people.add', 'Signing key recorded'],
  ['periods.open', 'Period opened'],
  ['periods.submit', 'Period submitted'],
  ['periods.approve', 'Period approved'],
  ['periods.reject', 'Period sent back'],
  ['periods.close', 'Period closed'],
  ['periods.reopen', 'Period reopened'],
  ['periods.comment', 'Comment on a figure added'],
  ['periods.answer', 'Comment on a figure answered'],
  ['periods.explain-flux', 'Flux of a figure explained'],
  ['periods.clear', 'Comment on a figure cleared'],
  ['periods.explain', 'Item explained'],
  ['periods.restore-item', 'Explanation restored from a pack'],
  ['periods.add-step', 'Checklist step added'],
  ['periods.change-step', 'Checklist step changed'],
  ['periods.remove-step', 'Checklist step removed'],
  ['audit.timeStamp', 'Audit log time-stamped'],
  ['workpaper.settings', 'Workpaper settings changed'],
  ['report.write', 'Report created'],
  ['pack.files', 'Files of an evidence pack recorded'],
  ['pack.write', 'Evidence pack created'],
  ['packs.restore', 'Decisions restored from a pack'],
  ['backups.restore', 'Books restored from a backup'],
]);

/** Returns the actions whose label contains this text, ignoring case. */
export const findAuditActions = (text: string): string[] =>
  [...auditActionLabels]
    .filter(([, label]) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(([action]) => action);

/** Returns the label of an audit log action, for example `Match confirmed`. An unknown action is its own label. */
export const getAuditActionLabel = (action: string): string => auditActionLabels.get(action) ?? action;

/** Returns what a time stamp of the audit log proves, or why it proves nothing. `formatTime` formats an ISO 8601 time. */
export function describeTimeStamp(
  { entries, at, authority, is_trusted, problem }: AuditTimeStamp,
  formatTime: (at: string) => string,
): string {
  if (at === null) return problem ?? '';
  const unknown = is_trusted ? '' : ' This computer does not know the issuer of the authority’s certificate.';
  return `Entries 1–${entries} existed on ${formatTime(at)}, according to the time-stamp authority ${authority}.${unknown}`;
}

/** Noun for the subject of an action: by action, or by the part of the action before the period. */
const subjectNouns: ReadonlyMap<string, string> = new Map([
  ['sites', 'Site'],
  ['exceptions', 'Exception'],
  ['check', 'Rule'],
  ['replay', 'Replay'],
  ['replay.plan', 'Replay plan'],
  ['replay.discardPlan', 'Replay plan'],
  ['incidents', 'Incident'],
  ['allocations', 'Draft'],
  ['archive', 'Export'],
  ['archive.retain', 'Retention'],
  ['archive.hold', 'Statements'],
  ['archive.release', 'Statements'],
  ['archive.delete', 'Statements'],
  ['bank', 'Import'],
  ['bank.add-statement', 'Bank statement'],
  ['bank.remove-statement', 'Bank statement'],
  ['bank.save-account', 'Account'],
  ['bank.remove-account', 'Account'],
  ['bank.save-profile', 'Profile'],
  ['bank.remove-profile', 'Profile'],
  ['match', 'Match'],
  ['match.begin', 'Matching run'],
  ['match.run', 'Matching run'],
  ['match.stopped', 'Matching run'],
  ['match.undo-run', 'Matching run'],
  ['match.not-found-again', 'Matching run'],
  ['match.save-rule', 'Match rule'],
  ['match.remove-rule', 'Match rule'],
  ['match.accept-rule', 'Match rule'],
  ['people', 'Signing key'],
  ['periods.explain', 'Outstanding item'],
  ['periods.restore-item', 'Outstanding item'],
  ['packs', 'Pack'],
]);

/** Number of characters shown of a generated id, enough to tell ids apart. Chosen by judgment. */
const SHORT_ID_LENGTH = 8;
const GENERATED_ID = /^[0-9a-f]{8}[0-9a-f-]{8,}$/;

/**
 * Returns the subject of an audit log entry in words, for example `Match 12` or `Journal entry 3`. Generated ids are
 * shortened. A month (YYYY-MM) and a subject that already consists of words are returned without a noun.
 */
export function getAuditSubjectLabel(action: string, subject: string): string {
  const [, kind = '', id = ''] = /^([a-z][a-z-]+):(.+)$/.exec(subject) ?? [];
  if (kind !== '') return `${capitalize(kind.replaceAll('-', ' '))} ${shortenId(id)}`;
  if (/^\d{4}-\d\d$/.test(subject)) return subject;
  if (/^[a-z]+ \d/.test(subject)) return capitalize(subject);
  const noun = subjectNouns.get(action) ?? subjectNouns.get(action.split('.')[0] ?? '');
  if (noun === undefined || subject === '') return capitalize(subject);
  return `${noun} ${shortenId(subject)}`;
}

const shortenId = (id: string) => (GENERATED_ID.test(id) ? id.slice(0, SHORT_ID_LENGTH) : id);
const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
