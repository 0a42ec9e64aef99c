import { Download, Eye } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReportFormat, Site } from '../../../contract/index.ts';
import { useAction, useBackend } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { texts } from '../../texts/texts.ts';
import { saveFile } from '../../window-shell/save-file.ts';
import { EvidencePackPanel } from './evidence-pack-panel.tsx';
import './report.css';

const PdfViewer = lazy(() => import('../../pdf/pdf-viewer.tsx'));

const text = texts.periods.report;
const formats: readonly ReportFormat[] = ['pdf', 'xlsx', 'csv', 'json'];
const auditorFormats: readonly ReportFormat[] = ['gobd', 'ads'];

/** Tab that offers the period report in every format, and the evidence pack. */
export function ReportTab({ site, period }: { readonly site: Site; readonly period: string }) {
  const { connection } = useBackend();
  const [preview, setPreview] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const at = { site: site.site, period };
  const saving = useAction(async (format: ReportFormat) => {
    const { blob, name, type } = await connection.client.reports.file({ ...at, format });
    await saveFile({ bytes: await connection.readBlob(blob), name, type });
  });
  const previewing = useAction(async () => {
    const { blob } = await connection.client.reports.file({ ...at, format: 'pdf' });
    setPreview(await connection.readBlob(blob));
  });
  const failed = saving.error ?? previewing.error;
  if (preview !== null) {
    return (
      <section className="report-preview" aria-label={text.preview}>
        <Suspense fallback={<Skeleton />}>
          <PdfViewer
            bytes={preview}
            file={text.previewName(`${site.site}-${period}`)}
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
  const toSaveButton = (format: ReportFormat) => (
    <Button key={format} icon={Download} isPending={saving.running} onPress={() => void saving.run(format)}>
      {text.save(text.formats[format])}
    </Button>
  );
  return (
    <PageLayout className="periods">
      <Panel level={2} title={text.title}>
        <p className="prose">{text.lead}</p>
        <div className="report-formats">
          <Button
            kind="primary"
            icon={Eye}
            isPending={previewing.running}
            onPress={() => void previewing.run()}
          >
            {text.preview}
          </Button>
          {formats.map(toSaveButton)}
        </div>
        {failed && <ErrorMessage error={failed} site={site.site} />}
      </Panel>
      <Panel level={2} title={text.auditorTitle}>
        <p className="prose">{text.auditorLead}</p>
        <div className="report-formats">{auditorFormats.map(toSaveButton)}</div>
      </Panel>
      <EvidencePackPanel site={site.site} period={period} />
    </PageLayout>
  );
}
