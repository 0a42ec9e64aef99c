import { CircleCheck } from 'lucide-react';
import type { PeriodDetail, PeriodHistoryEntry, PeriodSignature, Site } from '../../../contract/index.ts';
import { findLastSignOff } from '../../../domain/periods/index.ts';
import { CommentsPanel } from '../../comments/comments-panel.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { DateTime } from '../../controls/formatted-values.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ReceiptCode } from '../../controls/receipt-code.tsx';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { texts } from '../../texts/texts.ts';
import { JobProgress } from '../shared/job-progress.tsx';
import { SignOffRemarks } from './sign-off-remarks.tsx';

const text = texts.periods.signOff;

/** Tab that shows what prevents sign-off, and the signatures, comments and history of a period. */
export function SignOffTab({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const { state, remarks, closing, history, suspended } = detail;
  const lastSigned = findLastSignOff(history);
  return (
    <PageLayout className="periods">
      {closing !== null && <JobProgress site={site.site} job={closing} title={text.closing} />}
      {(state !== 'closed' || suspended !== null) && (
        <Panel level={2} title={text.remarks}>
          {remarks.length === 0 ? (
            <p className="sheet-good">
              <CircleCheck size={15} aria-hidden="true" />
              {text.noRemarks}
            </p>
          ) : (
            <SignOffRemarks remarks={remarks} />
          )}
        </Panel>
      )}
      <Panel level={2} title={text.signatures}>
        <Signatures detail={detail} />
        <p className="fineprint">{text.signingKeys}</p>
        {lastSigned && <ReceiptCode receipt={lastSigned.receipt} />}
      </Panel>
      <CommentsPanel site={site.site} kind="period" id={detail.period} level={2} />
      <Panel level={2} title={text.history}>
        <ol className="period-history">
          {history.map((entry) => (
            <Entry key={entry.seq} entry={entry} />
          ))}
        </ol>
      </Panel>
    </PageLayout>
  );
}

function Signatures({ detail }: { readonly detail: PeriodDetail }) {
  const { opened, submitted, reviewed, closed } = detail;
  const rows: readonly (readonly [keyof typeof text.roles, PeriodSignature | null, string | null])[] = [
    ['opened', opened, null],
    ['submitted', submitted, null],
    ['reviewed', reviewed, reviewed?.self_review ?? null],
    ['closed', closed, null],
  ];
  return (
    <table className="table">
      <tbody>
        {rows.map(([role, signature, selfReview]) => (
          <tr key={role}>
            <th scope="row">{text.roles[role]}</th>
            {signature === null ? (
              <td colSpan={2} className="fineprint">
                {text.notSigned}
              </td>
            ) : (
              <>
                <td className="signature">
                  <b>{signature.name}</b>
                  {role !== 'opened' && (
                    <small title={signature.key ?? ''}>
                      {signature.key === null ? text.noKey : text.key(signature.key)}
                    </small>
                  )}
                  {signature.name !== signature.user && <small>{text.asUser(signature.user)}</small>}
                  {selfReview !== null && <small>{text.selfReviewed(selfReview)}</small>}
                  {signature.statements.map(({ text: statement, confirmed }) => (
                    <small key={statement}>{text.statement(statement, confirmed)}</small>
                  ))}
                  {selfReview === null && signature.comment !== null && <small>“{signature.comment}”</small>}
                </td>
                <td>
                  <DateTime at={signature.at} />
                  {signature.figures !== null && (
                    <small title={signature.figures}>
                      {text.figures} <code>{signature.figures.slice(0, 12)}</code>
                    </small>
                  )}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Entry({ entry }: { readonly entry: PeriodHistoryEntry }) {
  const { at, name, action, text: note, is_self_review, version, receipt, about } = entry;
  return (
    <li>
      <span>
        <b>{text.historyActions[action]}</b> {text.byPerson(name)}
        {about !== null && ` · ${about.figure}`}
        {is_self_review && ` (${text.selfReview})`}
        {version !== null && ` · ${texts.periods.changes.closing(version)}`}
      </span>
      <small>
        <DateTime at={at} />
      </small>
      {note !== null && <p>{note}</p>}
      <small className="entry-receipt" title={text.receiptNote}>
        {text.receipt} <code>{receipt}</code>
        <CopyButton text={receipt} label={text.copyReceipt} />
      </small>
    </li>
  );
}
