import { Download, Eye } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReportFormat, Site } from '../../contract/index.ts';
import { useAction, useBackend } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Panel, Skeleton } from '../controls/pieces.tsx';
import { saveBytes } from '../controls/save.ts';
import { ErrorNote } from '../errors/error-note.tsx';
import { printBytes, printOffered } from '../pdf/print.ts';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { PackPanel } from './pack-panel.tsx';

const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

const text = words.periods.report;
const formats: readonly ReportFormat[] = ['pdf', 'xlsx', 'csv', 'json'];

interface ReportPartProps {
  readonly site: Site;
  readonly period: string;
}

/** What is handed in: the report in every format, and the pack with its evidence. */
export function ReportPart({ site, period }: ReportPartProps) {
  const { connection } = useBackend();
  const [preview, setPreview] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const at = { site: site.site, period };
  const saving = useAction(async (format: ReportFormat) => {
    const { blob, name, type } = await connection.client.reports.file({ ...at, format });
    saveBytes(await connection.readBlob(blob), name, type);
    notify(text.saved(name), 'good');
  });
  const looking = useAction(async () => {
    const { blob } = await connection.client.reports.file({ ...at, format: 'pdf' });
    setPreview(await connection.readBlob(blob));
  });
  const printing = useAction(async (bytes: Uint8Array<ArrayBuffer>) => {
    if (connection.shell() === 'electron') {
      printOffered((await connection.client.reports.file({ ...at, format: 'pdf' })).blob);
    } else if (!printBytes(bytes)) {
      notify(words.pdf.printBlocked, 'bad');
    }
  });
  const failed = saving.error ?? looking.error;
  if (preview !== null) {
    return (
      <section className="report-preview" aria-label={text.preview}>
        <Suspense fallback={<Skeleton />}>
          <PdfViewer
            bytes={preview}
            file={text.previewName(`${site.site}-${period}`)}
            onPrint={() => void printing.run(preview)}
            name={text.previewName(period)}
            note={
              <>
                {text.previewNote}{' '}
                <Button size="small" onPress={() => setPreview(null)}>
                  {text.close}
                </Button>
              </>
            }
          />
        </Suspense>
      </section>
    );
  }
  return (
    <div className="page">
      <div className="page-inner periods">
        <Panel level={2} title={text.title}>
          <p className="prose">{text.lead}</p>
          <div className="report-formats">
            <Button kind="primary" icon={Eye} pending={looking.running} onPress={() => void looking.run()}>
              {text.preview}
            </Button>
            {formats.map((format) => (
              <Button
                key={format}
                icon={Download}
                pending={saving.running}
                onPress={() => void saving.run(format)}
              >
                {text.save(text.formats[format])}
              </Button>
            ))}
          </div>
          {failed && <ErrorNote error={failed} site={site.site} />}
        </Panel>
        <PackPanel site={site.site} period={period} />
      </div>
    </div>
  );
}
