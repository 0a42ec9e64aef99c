import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ArchiveExport } from '../../contract/index.ts';
import { useAction, useClient, useJob, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { Status } from '../controls/status.tsx';
import { Facts } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { isUnderWay } from '../jobs/progress.ts';
import { closeDialog } from '../view/view.ts';
import { capital } from '../words/capital.ts';
import { bytesText, countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { RunningArchive } from './running-archive.tsx';
import { Receipt } from './verify-dialog.tsx';

const text = words.archive.exporting;

interface PlannedExportProps {
  readonly site: string;
  readonly planned: ArchiveExport;
  /** Where there is a way back to what was asked for. */
  readonly onBack?: () => void;
}

/** A frozen export: what it would be; then how far it is; then what came of it. */
export function PlannedExport({ site, planned, onBack }: PlannedExportProps) {
  const client = useClient();
  const [jobId, setJob] = useState<string | null>(planned.state === 'running' ? planned.job : null);
  const job = useJob(site, jobId);
  const { data: now = planned } = useQuery('archive.get', { site, export: planned.export });
  const { data: place } = useQuery('archive.place', { path: planned.target.path });
  const starting = useAction(async () =>
    setJob((await client.archive.export({ site, export: planned.export })).job),
  );
  const running = job !== null && isUnderWay(job);
  /** Begun, and not heard of yet; or over, and what came of it not told yet. */
  const awaited = jobId !== null && (job === null || job.state === 'done');
  const done = now.state === 'done' ? now.result : null;
  const tooLittle =
    place?.free_bytes != null && place.free_bytes < planned.bytes * (planned.merged ? 2.2 : 1.1);
  return (
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      dismissable={!running}
      footer={
        done !== null || running ? (
          <Button kind={done === null ? 'plain' : 'primary'} onPress={closeDialog}>
            {words.archive.close}
          </Button>
        ) : (
          <>
            <Button onPress={onBack ?? closeDialog}>
              {onBack ? words.archive.back : words.archive.close}
            </Button>
            <Button
              kind="primary"
              pending={starting.running || awaited}
              reason={tooLittle ? text.tooLittle : null}
              onPress={() => void starting.run()}
            >
              {planned.state === 'planned' && (job === null || awaited) ? text.run : words.archive.resume}
            </Button>
          </>
        )
      }
    >
      {done === null && (
        <>
          <p>{text.frozen}</p>
          <Frozen planned={planned} free={place?.free_bytes ?? null} />
        </>
      )}
      {running && <RunningArchive site={site} known={job} />}
      {job && !running && !awaited && done === null && (
        <>
          <p role="status">{text.stopped}</p>
          {job.error && <ErrorNote error={job.error} site={site} />}
        </>
      )}
      {starting.error && <ErrorNote error={starting.error} site={site} />}
      {done !== null && <Result made={now} result={done} />}
    </Dialog>
  );
}

function Frozen({ planned, free }: { readonly planned: ArchiveExport; readonly free: number | null }) {
  const { description, count, bytes, not_held, target, names } = planned;
  return (
    <>
      <Facts
        rows={[
          [text.what, capital(description)],
          [text.facts.statements, countText(count)],
          not_held > 0 ? [text.facts.without, text.without(not_held)] : null,
          [text.facts.bytes, bytesText(bytes)],
          [text.facts.to, <code key="to">{target.path}</code>],
          free === null ? null : [text.facts.free, bytesText(free)],
        ]}
      />
      <div className="archive-names">
        <span>{text.sample}</span>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface ResultProps {
  readonly made: ArchiveExport;
  readonly result: NonNullable<ArchiveExport['result']>;
}

function Result({ made, result }: ResultProps) {
  const { written, kept, earlier, damaged, problems, receipt } = result;
  const well = problems === 0 && damaged.length === 0;
  const titles = text.results;
  return (
    <>
      <div role="status">
        <Status tone={well ? 'good' : 'warn'} icon={well ? CircleCheck : TriangleAlert}>
          {well ? text.done : text.doneProblems}
        </Status>
      </div>
      <Facts
        rows={[
          [text.facts.to, <code key="to">{made.target.path}</code>],
          [titles.written, countText(written)],
          kept > 0 ? [titles.kept, countText(kept)] : null,
          earlier > 0 ? [titles.earlier, countText(earlier)] : null,
          damaged.length > 0 ? [titles.damaged, damaged.slice(0, 20).join('\n')] : null,
          made.not_held > 0 ? [text.facts.without, text.without(made.not_held)] : null,
          [titles.problems, countText(problems)],
          [titles.receipt, <Receipt key="receipt" receipt={receipt} />],
        ]}
      />
      <p className="fineprint">{text.receiptHint}</p>
    </>
  );
}
