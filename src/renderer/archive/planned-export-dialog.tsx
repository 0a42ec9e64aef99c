import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ArchiveExport } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { useAction, useContractClient, useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { FactList } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { isActiveJob } from '../jobs/job-progress.ts';
import { closeDialog } from '../navigation/window-state.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { RunningArchiveJob } from './running-archive-job.tsx';
import { ChecksumValue } from './verify-dialog.tsx';

const text = texts.archive.exporting;

interface PlannedExportDialogProps {
  readonly site: string;
  readonly planned: ArchiveExport;
  /** Where there is a way back to what was asked for. */
  readonly onBack?: () => void;
}

/** A frozen export: what it would be; then how far it is; then what came of it. */
export function PlannedExportDialog({ site, planned, onBack }: PlannedExportDialogProps) {
  const client = useContractClient();
  const [jobId, setJob] = useState<string | null>(planned.state === 'running' ? planned.job : null);
  const job = useJob(site, jobId);
  const { data: now = planned } = useQuery('archive.get', { site, export: planned.export });
  const { data: place } = useQuery('archive.browse', { path: planned.target.path });
  const starting = useAction(async () =>
    setJob((await client.archive.export({ site, export: planned.export })).job),
  );
  const running = job !== null && isActiveJob(job);
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
            {texts.archive.close}
          </Button>
        ) : (
          <>
            <Button onPress={onBack ?? closeDialog}>
              {onBack ? texts.archive.back : texts.archive.close}
            </Button>
            <Button
              kind="primary"
              isPending={starting.running || awaited}
              disabledReason={tooLittle ? text.tooLittle : null}
              onPress={() => void starting.run()}
            >
              {planned.state === 'planned' && (job === null || awaited) ? text.run : texts.archive.resume}
            </Button>
          </>
        )
      }
    >
      {done === null && (
        <>
          <p>{text.frozen}</p>
          <ExportFacts planned={planned} free={place?.free_bytes ?? null} />
        </>
      )}
      {running && <RunningArchiveJob site={site} known={job} />}
      {job && !running && !awaited && done === null && (
        <>
          <p role="status">{text.stopped}</p>
          {job.error && <ErrorMessage error={job.error} site={site} />}
        </>
      )}
      {starting.error && <ErrorMessage error={starting.error} site={site} />}
      {done !== null && <ExportResult made={now} result={done} />}
    </Dialog>
  );
}

function ExportFacts({ planned, free }: { readonly planned: ArchiveExport; readonly free: number | null }) {
  const { description, count, bytes, not_stored, target, names } = planned;
  return (
    <>
      <FactList
        rows={[
          [text.what, capitalize(description)],
          [text.facts.statements, formatCount(count)],
          not_stored > 0 ? [text.facts.without, text.without(not_stored)] : null,
          [text.facts.bytes, formatBytes(bytes)],
          [text.facts.to, <code key="to">{target.path}</code>],
          free === null ? null : [text.facts.free, formatBytes(free)],
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

interface ExportResultProps {
  readonly made: ArchiveExport;
  readonly result: NonNullable<ArchiveExport['result']>;
}

function ExportResult({ made, result }: ExportResultProps) {
  const { written, unchanged: kept, from_earlier_exports, damaged, problems, checksum } = result;
  const well = problems === 0 && damaged.length === 0;
  const titles = text.results;
  return (
    <>
      <div role="status">
        <StatusLabel tone={well ? 'good' : 'warn'} icon={well ? CircleCheck : TriangleAlert}>
          {well ? text.done : text.doneProblems}
        </StatusLabel>
      </div>
      <FactList
        rows={[
          [text.facts.to, <code key="to">{made.target.path}</code>],
          [titles.written, formatCount(written)],
          kept > 0 ? [titles.kept, formatCount(kept)] : null,
          from_earlier_exports > 0 ? [titles.earlier, formatCount(from_earlier_exports)] : null,
          damaged.length > 0 ? [titles.damaged, damaged.slice(0, 20).join('\n')] : null,
          made.not_stored > 0 ? [text.facts.without, text.without(made.not_stored)] : null,
          [titles.problems, formatCount(problems)],
          [titles.checksum, <ChecksumValue key="checksum" checksum={checksum} />],
        ]}
      />
      <p className="fineprint">{text.checksumHint}</p>
    </>
  );
}
