import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ArchiveExport, Job } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { useAction, useContractClient, useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { LabeledValueList } from '../controls/formatted-values.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { isActiveJob } from '../jobs/job-progress.ts';
import { closeDialog } from '../navigation/window-state.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { RunningArchiveJob } from './archive-screen.tsx';
import { ExportChecksum } from './verify-export-dialog.tsx';

const text = texts.archive.exportDialog;

interface PlannedExportDialogProps {
  readonly site: string;
  readonly planned: ArchiveExport;
  /** Returns to the export options. Not set for an export opened from the list of exports. */
  readonly onBack?: () => void;
}

/** `starting` lasts until the job is known; `finishing` lasts until the result is known. */
type ExportPhase = 'planned' | 'starting' | 'running' | 'finishing' | 'stopped' | 'done';

/** Dialog of a planned export: it shows the preview, then the progress, then the result. */
export function PlannedExportDialog({ site, planned, onBack }: PlannedExportDialogProps) {
  const client = useContractClient();
  const [jobId, setJobId] = useState<string | null>(planned.state === 'running' ? planned.job : null);
  const job = useJob(site, jobId);
  const { data: current = planned } = useQuery('archive.get', { site, export: planned.export });
  const { data: target } = useQuery('archive.browse', { path: planned.target.path });
  const starting = useAction(async () =>
    setJobId((await client.archive.export({ site, export: planned.export })).job),
  );
  const phase = findPhase(current, jobId, job);
  const freeBytes = target?.free_bytes ?? null;
  return (
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      dismissable={phase !== 'running'}
      footer={
        <ExportFooter
          phase={phase}
          isResumed={planned.state !== 'planned' || phase === 'stopped'}
          isStarting={starting.running}
          hasSpace={hasSpace(planned, freeBytes)}
          onBack={onBack}
          onStart={() => void starting.run()}
        />
      }
    >
      {phase !== 'done' && (
        <>
          <p>{text.frozen}</p>
          <ExportFacts planned={planned} freeBytes={freeBytes} />
        </>
      )}
      {phase === 'running' && job && <RunningArchiveJob site={site} known={job} />}
      {phase === 'stopped' && (
        <>
          <p role="status">{text.stopped}</p>
          {job?.error && <ErrorMessage error={job.error} site={site} />}
        </>
      )}
      {starting.error && <ErrorMessage error={starting.error} site={site} />}
      {phase === 'done' && current.result && <ExportResult finished={current} result={current.result} />}
    </Dialog>
  );
}

interface ExportFooterProps {
  readonly phase: ExportPhase;
  readonly isResumed: boolean;
  readonly isStarting: boolean;
  readonly hasSpace: boolean;
  readonly onBack: (() => void) | undefined;
  readonly onStart: () => void;
}

function ExportFooter({ phase, isResumed, isStarting, hasSpace, onBack, onStart }: ExportFooterProps) {
  if (phase === 'done' || phase === 'running') {
    return (
      <Button kind={phase === 'done' ? 'primary' : 'plain'} onPress={closeDialog}>
        {texts.archive.close}
      </Button>
    );
  }
  return (
    <>
      <Button onPress={onBack ?? closeDialog}>{onBack ? texts.archive.back : texts.archive.close}</Button>
      <Button
        kind="primary"
        isPending={isStarting || phase === 'starting' || phase === 'finishing'}
        disabledReason={hasSpace ? null : text.tooLittle}
        onPress={onStart}
      >
        {isResumed ? texts.archive.resume : text.run}
      </Button>
    </>
  );
}

function findPhase(current: ArchiveExport, jobId: string | null, job: Job | null): ExportPhase {
  if (job !== null && isActiveJob(job)) return 'running';
  if (current.state === 'done' && current.result !== null) return 'done';
  if (jobId === null) return 'planned';
  if (job === null) return 'starting';
  return job.state === 'done' ? 'finishing' : 'stopped';
}

/** Returns true if the disk has room for the export plus 10%. A merged export requires twice the space. */
function hasSpace({ bytes, merged }: ArchiveExport, freeBytes: number | null): boolean {
  return freeBytes === null || freeBytes >= bytes * (merged ? 2.2 : 1.1);
}

function ExportFacts(props: { readonly planned: ArchiveExport; readonly freeBytes: number | null }) {
  const { planned, freeBytes } = props;
  const { description, count, bytes, not_stored, target, names } = planned;
  return (
    <>
      <LabeledValueList
        rows={[
          [text.what, capitalize(description)],
          [text.facts.statements, formatCount(count)],
          not_stored > 0 ? [text.facts.without, text.without(not_stored)] : null,
          [text.facts.bytes, formatBytes(bytes)],
          [text.facts.to, <code key="to">{target.path}</code>],
          freeBytes === null ? null : [text.facts.free, formatBytes(freeBytes)],
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
  readonly finished: ArchiveExport;
  readonly result: NonNullable<ArchiveExport['result']>;
}

function ExportResult({ finished, result }: ExportResultProps) {
  const { written, unchanged, from_earlier_exports, damaged, problems, checksum } = result;
  const isIntact = problems === 0 && damaged.length === 0;
  const titles = text.results;
  return (
    <>
      <div role="status">
        <StatusLabel
          tone={isIntact ? 'good' : 'warn'}
          icon={isIntact ? CircleCheck : TriangleAlert}
          text={isIntact ? text.done : text.doneProblems}
        />
      </div>
      <LabeledValueList
        rows={[
          [text.facts.to, <code key="to">{finished.target.path}</code>],
          [titles.written, formatCount(written)],
          unchanged > 0 ? [titles.kept, formatCount(unchanged)] : null,
          from_earlier_exports > 0 ? [titles.earlier, formatCount(from_earlier_exports)] : null,
          damaged.length > 0 ? [titles.damaged, damaged.slice(0, 20).join('\n')] : null,
          finished.not_stored > 0 ? [text.facts.without, text.without(finished.not_stored)] : null,
          [titles.problems, formatCount(problems)],
          [titles.checksum, <ExportChecksum key="checksum" checksum={checksum} />],
        ]}
      />
      <p className="fineprint">{text.checksumHint}</p>
    </>
  );
}
