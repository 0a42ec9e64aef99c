import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import {
  DOWNLOAD_FRAME_EVENTS,
  DOWNLOAD_PAGE_URL,
  type FrameEvent,
  PDF_FRAME_EVENTS,
  PDF_URL,
  PRINT_RESULTS,
  VIEWER_ORIGIN,
} from './frame-events.ts';
import { recordFrameEvents } from './record-frame-events.ts';

const pdf = pathToFileURL(join(appRoot, 'test', 'main', 'black-square.pdf')).href;
const isPdfLoaded = ({ event, frame }: FrameEvent) => event === 'loaded' && frame === 2;

/** Replaces what differs from recording to recording. */
function normalize({ url, ...event }: FrameEvent): FrameEvent {
  if (url === undefined) return event;
  return {
    ...event,
    url: url.replace(pdf, PDF_URL).replace(/^(chrome-extension:\/\/\w+)\/[\w-]{36}$/, `$1/stream`),
  };
}

test('the double replays a PDF with the events that Chromium emits', async () => {
  const recorded = (await recordFrameEvents(pdf, isPdfLoaded)).map(normalize);
  // Frames are in different processes, so only the order within a frame is certain.
  for (const depth of [0, 1, 2])
    expect(recorded.filter(({ frame }) => frame === depth)).toEqual(
      PDF_FRAME_EVENTS.filter(({ frame }) => frame === depth),
    );
  const findIndex = (events: readonly FrameEvent[], event: string, frame: number) =>
    events.findIndex((each) => each.event === event && each.frame === frame);
  for (const events of [recorded, PDF_FRAME_EVENTS])
    expect(findIndex(events, 'loaded', 0)).toBeLessThan(findIndex(events, 'attached', 2));
  expect(recorded.some(({ url }) => url?.startsWith(VIEWER_ORIGIN))).toBe(true);
});

test('a PDF is printed only once its own frame has loaded, in Chromium and in the double', async () => {
  const isFrameLoaded = ({ event, frame }: FrameEvent) =>
    event === 'loaded' && PRINT_RESULTS.some(({ loadedFrame }) => loadedFrame === frame);
  const isLastPrint = ({ event, sheet }: FrameEvent) => event === 'printed' && sheet !== 'empty';
  const recorded = await recordFrameEvents(pdf, isLastPrint, isFrameLoaded);
  expect(recorded.filter(({ event }) => event === 'printed').map(({ sheet }) => sheet)).toEqual(
    PRINT_RESULTS.map(({ sheet }) => sheet),
  );
  const afterPdf = recorded.slice(recorded.findIndex(isPdfLoaded) + 1);
  expect(afterPdf).toEqual([{ event: 'printed', frame: 0, sheet: 'pdf' }]);
});

test('a download starts without a navigation in Chromium and in the double', async () => {
  const path = join(createTemporaryFolder(), 'download.html');
  // The page starts the download after Chromium has reported that it has loaded.
  writeFileSync(
    path,
    `<a id="link" download="report.csv">Report</a><script>
      link.href = URL.createObjectURL(new Blob(['a,b']));
      addEventListener('load', () => setTimeout(() => link.click(), 500));
    </script>`,
  );
  const page = pathToFileURL(path).href;
  const recorded = await recordFrameEvents(page, ({ event }) => event === 'downloads');
  const normalized = recorded.map(({ url, ...event }) => ({
    ...event,
    ...(url !== undefined && { url: url.replace(page, DOWNLOAD_PAGE_URL).replace(/^blob:.*/, 'blob:') }),
  }));
  expect(normalized).toEqual(DOWNLOAD_FRAME_EVENTS);
});
