import { CircleCheck, PackageCheck, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { PackResult } from '../../contract/index.ts';
import { PlaceField } from '../archive/place-field.tsx';
import { useAction, useClient, useJob, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Toggle } from '../controls/field.tsx';
import { Link } from '../controls/link.tsx';
import { CopyButton, Panel } from '../controls/pieces.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Facts, Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { isUnderWay } from '../jobs/progress.ts';
import { go } from '../view/view.ts';
import { bytesText, counted, countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { JobLine } from './job-line.tsx';

const text = words.periods.pack;

interface PackPanelProps {
  readonly site: string;
  readonly period: string;
}

/** The evidence pack: what it would hold, its making, and the proof that it is whole. */
export function PackPanel({ site, period }: PackPanelProps) {
  const client = useClient();
  const { data: plan, error } = useQuery('packs.plan', { site, period });
  const { data: packs } = useQuery('packs.list', { site, period });
  const [path, setPath] = useState('');
  const [replace, setReplace] = useState(false);
  const writing = useAction(() => client.packs.write({ site, period, path: path.trim(), replace }));
  const id = writing.done?.job ?? null;
  const job = useJob(site, id);
  const busy = writing.running || (job !== null && isUnderWay(job));
  const missing = !/\.zip$/i.test(path.trim());
  return (
    <Panel level={2} title={text.title}>
      <p className="prose">{text.lead}</p>
      {error && <ErrorNote error={error} site={site} />}
      {plan && (
        <p>
          {text.plan(plan.statements, plan.sources, bytesText(plan.bytes))}{' '}
          {plan.not_held > 0 && (
            <>
              {text.notHeld(plan.not_held)}{' '}
              <Link onPress={() => go({ screen: 'archive' })}>{text.fetch}</Link>
            </>
          )}
        </p>
      )}
      <form
        className="pack-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && !busy) void writing.run();
        }}
      >
        <PlaceField
          label={text.path}
          hint={text.pathHint}
          value={path}
          onChange={setPath}
          name={text.fileName(site, period)}
        />
        <Toggle on={replace} onChange={setReplace}>
          {text.replace}
        </Toggle>
        <Button kind="primary" type="submit" pending={busy} reason={missing ? text.pathNeeded : null}>
          {text.make}
        </Button>
      </form>
      {writing.error && <ErrorNote error={writing.error} site={site} />}
      {id !== null && <JobLine site={site} job={id} title={text.making} />}
      {packs?.[0] && <Newest pack={packs[0]} />}
      {packs && packs.length > 1 && <Earlier packs={packs.slice(1)} />}
      {packs?.length === 0 && !busy && <p className="fineprint">{text.none}</p>}
    </Panel>
  );
}

/** The pack written last, with its receipt, and a check of every byte of it. */
function Newest({ pack }: { readonly pack: PackResult }) {
  const client = useClient();
  const verifying = useAction(() => client.packs.verify({ path: pack.path }));
  const verdict = verifying.done;
  return (
    <section className="pack-made" aria-label={text.made}>
      <h3>
        <PackageCheck size={16} aria-hidden="true" />
        {text.made}
      </h3>
      <Facts
        rows={[
          [text.facts.path, <code key="path">{pack.path}</code>],
          [text.facts.files, `${countText(pack.files)}, ${bytesText(pack.bytes)}`],
          [text.facts.statements, counted(pack.statements, 'statement')],
          [
            text.receipt,
            <span key="receipt" className="pack-receipt" title={text.receiptText}>
              <code>{pack.receipt}</code>
              <CopyButton text={pack.receipt} label={text.copyReceipt} />
            </span>,
          ],
        ]}
      />
      {pack.not_as_signed.length > 0 && (
        <ul className="pack-problems">
          {pack.not_as_signed.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <div className="pack-verdict">
        <Button pending={verifying.running} onPress={() => void verifying.run()}>
          {text.verify}
        </Button>
        {verdict && (
          <span className={verdict.ok ? 'sheet-good' : 'sheet-open'} role="status">
            {verdict.ok ? (
              <CircleCheck size={15} aria-hidden="true" />
            ) : (
              <ShieldAlert size={15} aria-hidden="true" />
            )}
            {verdict.ok ? text.sound(verdict.files) : text.wrong(verdict.wrong)}
          </span>
        )}
      </div>
      {verdict && verdict.problems.length > 0 && (
        <ul className="pack-problems">
          {verdict.problems.map(({ path, what }) => (
            <li key={path + what}>
              <code>{path}</code> {what}
            </li>
          ))}
        </ul>
      )}
      {verifying.error && <ErrorNote error={verifying.error} />}
    </section>
  );
}

function Earlier({ packs }: { readonly packs: readonly PackResult[] }) {
  const titles = text.columns;
  return (
    <table className="table" aria-label={text.earlier}>
      <TableHead titles={[titles.made, titles.by, { end: titles.size }, titles.path]} />
      <tbody>
        {packs.map((pack) => (
          <tr key={`${pack.path} ${pack.made_at}`}>
            <th scope="row">
              <Moment at={pack.made_at} />
            </th>
            <td>{pack.made_by}</td>
            <td className="table-end">{bytesText(pack.bytes)}</td>
            <td className="pack-path">{pack.path}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
