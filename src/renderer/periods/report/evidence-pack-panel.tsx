import { CircleCheck, PackageCheck, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { EvidencePackResult } from '../../../contract/index.ts';
import { PathField } from '../../archive/path-field.tsx';
import { useAction, useContractClient, useJob, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { ToggleSwitch } from '../../controls/form-fields.tsx';
import { DateTime, LabeledValueList } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { DataTable } from '../../controls/table-head.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { isActiveJob } from '../../jobs/job-progress.ts';
import { navigate } from '../../navigation/window-state.ts';
import { formatBytes, formatCount, formatCountWithNoun } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import { JobProgress } from '../shared/job-progress.tsx';
import './report.css';

const text = texts.periods.pack;

/** Panel that shows what an evidence pack will contain, creates the pack, and verifies it. */
export function EvidencePackPanel({ site, period }: { readonly site: string; readonly period: string }) {
  const client = useContractClient();
  const { data: plan, error } = useQuery('packs.plan', { site, period });
  const { data: packs } = useQuery('packs.list', { site, period });
  const [path, setPath] = useState('');
  const [replace, setReplace] = useState(false);
  const writing = useAction(() => client.packs.write({ site, period, path: path.trim(), replace }));
  const id = writing.done?.job ?? null;
  const job = useJob(site, id);
  const busy = writing.running || (job !== null && isActiveJob(job));
  const missing = !/\.zip$/i.test(path.trim());
  return (
    <Panel level={2} title={text.title}>
      <p className="prose">{text.lead}</p>
      {error && <ErrorMessage error={error} site={site} />}
      {plan && (
        <p>
          {text.plan(plan.statements, plan.sources, formatBytes(plan.bytes))}{' '}
          {plan.not_stored > 0 && (
            <>
              {text.missingPdfs(plan.not_stored)}{' '}
              <Link onPress={() => navigate({ screen: 'archive' })}>{text.fetch}</Link>
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
        <PathField
          label={text.path}
          hint={text.pathHint}
          value={path}
          onChange={setPath}
          name={text.fileName(site, period)}
        />
        <ToggleSwitch on={replace} onChange={setReplace}>
          {text.replace}
        </ToggleSwitch>
        <Button
          kind="primary"
          type="submit"
          isPending={busy}
          disabledReason={missing ? text.pathNeeded : null}
        >
          {text.make}
        </Button>
      </form>
      {writing.error && <ErrorMessage error={writing.error} site={site} />}
      {id !== null && <JobProgress site={site} job={id} title={text.making} />}
      {packs?.[0] && <NewestPack pack={packs[0]} />}
      {packs && packs.length > 1 && <EarlierPacks packs={packs.slice(1)} />}
      {packs?.length === 0 && !busy && <p className="fineprint">{text.none}</p>}
    </Panel>
  );
}

/** Shows the newest evidence pack with its checksum, and verifies the entire pack on request. */
function NewestPack({ pack }: { readonly pack: EvidencePackResult }) {
  const client = useContractClient();
  const verifying = useAction(() => client.packs.verify({ path: pack.path }));
  const verdict = verifying.done;
  return (
    <section className="pack-made" aria-label={text.made}>
      <h3>
        <PackageCheck size={16} aria-hidden="true" />
        {text.made}
      </h3>
      <LabeledValueList
        rows={[
          [text.facts.path, <code key="path">{pack.path}</code>],
          [text.facts.files, `${formatCount(pack.files)}, ${formatBytes(pack.bytes)}`],
          [text.facts.statements, formatCountWithNoun(pack.statements, 'statement')],
          [
            text.checksum,
            <span key="checksum" className="pack-receipt" title={text.checksumHint}>
              <code>{pack.checksum}</code>
              <CopyButton text={pack.checksum} label={text.copyChecksum} />
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
        <Button isPending={verifying.running} onPress={() => void verifying.run()}>
          {text.verify}
        </Button>
        {verdict && (
          <span className={verdict.ok ? 'sheet-good' : 'sheet-open'} role="status">
            {verdict.ok ? (
              <CircleCheck size={15} aria-hidden="true" />
            ) : (
              <ShieldAlert size={15} aria-hidden="true" />
            )}
            {verdict.ok ? text.intact(verdict.files) : text.problemsFound(verdict.wrong)}
          </span>
        )}
      </div>
      {verdict && verdict.problems.length > 0 && (
        <ul className="pack-problems">
          {verdict.problems.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {verifying.error && <ErrorMessage error={verifying.error} />}
    </section>
  );
}

function EarlierPacks({ packs }: { readonly packs: readonly EvidencePackResult[] }) {
  const titles = text.columns;
  return (
    <DataTable
      label={text.earlier}
      titles={[titles.made, titles.by, { end: titles.size }, { text: titles.path, cellClass: 'pack-path' }]}
      rows={packs.map(({ path, made_at, made_by, bytes }) => ({
        key: `${path} ${made_at}`,
        cells: [<DateTime key="made" at={made_at} />, made_by, formatBytes(bytes), path],
      }))}
    />
  );
}
