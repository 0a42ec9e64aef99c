import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { PeriodDetail, PeriodEntry, PeriodSignature, Site } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { JobLine } from './job-line.tsx';
import { Remarks } from './remarks.tsx';

const text = words.periods.sign;

/** Who stands by the period, what stands in the way, and everything that was said on the way. */
export function SignOffPart({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const { state, remarks, closing, history } = detail;
  return (
    <div className="page">
      <div className="page-inner periods">
        {closing !== null && <JobLine site={site.site} job={closing} title={text.closing} />}
        {state !== 'closed' && (
          <Panel level={2} title={text.remarks}>
            {remarks.length === 0 ? (
              <p className="sheet-good">
                <CircleCheck size={15} aria-hidden="true" />
                {text.noRemarks}
              </p>
            ) : (
              <Remarks remarks={remarks} />
            )}
          </Panel>
        )}
        <Panel level={2} title={text.signatures}>
          <Signatures detail={detail} />
          <p className="fineprint">{text.assertion}</p>
        </Panel>
        <Panel level={2} title={text.history}>
          <ol className="period-history">
            {history.map((entry) => (
              <Entry key={entry.seq} entry={entry} />
            ))}
          </ol>
          <Note site={site.site} period={detail.period} />
        </Panel>
      </div>
    </div>
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
                {text.open}
              </td>
            ) : (
              <>
                <td className="signature">
                  <b>{signature.name}</b>
                  {signature.name !== signature.user && <small>{text.asUser(signature.user)}</small>}
                  {selfReview !== null && <small>{text.selfReviewed(selfReview)}</small>}
                  {selfReview === null && signature.comment !== null && <small>“{signature.comment}”</small>}
                </td>
                <td>
                  <Moment at={signature.at} />
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

function Entry({ entry }: { readonly entry: PeriodEntry }) {
  const { at, name, what, text: said, is_self_review, version } = entry;
  return (
    <li>
      <span>
        <b>{name}</b> {text.entries[what]}
        {is_self_review && ` (${text.selfReview})`}
        {version !== null && ` · ${words.periods.drift.seal(version)}`}
      </span>
      <small>
        <Moment at={at} />
      </small>
      {said !== null && <p>{said}</p>}
    </li>
  );
}

function Note({ site, period }: { readonly site: string; readonly period: string }) {
  const client = useClient();
  const [typed, setTyped] = useState('');
  const adding = useAction((said: string) => client.periods.note({ site, period, text: said }));
  const add = async () => {
    if (typed.trim() === '' || !(await adding.run(typed.trim()))) return;
    setTyped('');
    notify(text.noted, 'good');
  };
  return (
    <form
      className="period-note"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <LongField
        label={text.note}
        placeholder={text.noteHint}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void add()}
        rows={2}
        maxLength={10_000}
      />
      <Button type="submit" pending={adding.running} reason={typed.trim() === '' ? text.noteHint : null}>
        {text.addNote}
      </Button>
      {adding.error && <ErrorNote error={adding.error} site={site} />}
    </form>
  );
}
