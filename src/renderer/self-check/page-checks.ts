import '../backend-client/zod-without-eval.ts';
import { createBackendClient } from '../../contract/index.ts';
import { type BackendSession, connectBackend } from '../backend-client/connect-backend.ts';
import { openPdfDocument } from '../pdf/open-pdf-document.ts';

/** Result of one check of the page, for the report of `npm start -- --check`. */
interface PageCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Observed result, or the error message. */
  readonly detail: string;
}

declare global {
  interface Window {
    /** Results of all checks, read by the main process. */
    pageChecks?: Promise<readonly PageCheck[]>;
  }
}

/** Length of the text that is sent to the backend and back, in characters. */
const MESSAGE_LENGTH = 1_000_000;

/** Time limit of one check, so that all of them fit into the 20 s of the self-check. */
const CHECK_TIMEOUT_MS = 4_000;

/** The check page's address contains the id of a one-time PDF: `#<id>`. */
const blobId = location.hash.slice(1);
let pdf: Uint8Array<ArrayBuffer>;

const checks: Readonly<Record<string, (session: BackendSession) => Promise<string>>> = {
  async 'both ports, 1 MB each way'(session) {
    const client = createBackendClient(session);
    const value = 'x'.repeat(MESSAGE_LENGTH);
    await client.settings.set({ key: 'self-check', value });
    const settings = await client.settings.all({});
    const returned = settings['self-check'];
    return expectEqual(
      returned === value,
      `${String(returned).length} of ${value.length} characters returned`,
    );
  },
  async 'a one-time file is read once'(session) {
    pdf = await session.readBlob(blobId);
    const refusals = await Promise.all([
      isRefused(session.readBlob(blobId)),
      isRefused(session.readBlob(blobId)),
    ]);
    return expectEqual(refusals.every(Boolean), `${pdf.length} bytes, then refused twice`);
  },
  async 'pdf.js draws a page'() {
    const canvas = document.querySelector('canvas');
    if (!canvas) throw new Error('The page has no canvas.');
    const askPassword = () => Promise.reject(new Error('The PDF asks for a password.'));
    const document_ = await openPdfDocument(pdf, { askPassword, signal: AbortSignal.timeout(10_000) });
    const page = await document_.getPage(1);
    const viewport = page.getViewport({ scale: 1 });
    Object.assign(canvas, { width: viewport.width, height: viewport.height });
    await page.render({ canvas, viewport }).promise;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const dark = pixels.filter((value, index) => index % 4 === 0 && value < 128).length;
    return expectEqual(dark > 0, `${dark} dark pixels`);
  },
  async 'a file is saved'({ windowShell }) {
    const { id = null } = (await windowShell?.startSaving({ name: 'self-check.pdf' })) ?? {};
    if (!windowShell || id === null) throw new Error('not saved');
    await windowShell.appendToFile({ id, piece: new Blob([pdf]) });
    return (await windowShell.finishSaving({ id })).path;
  },
  async 'text is copied'() {
    await navigator.clipboard.writeText('Tieout self-check');
    return 'written';
  },
};

function expectEqual(isEqual: boolean, detail: string): string {
  if (!isEqual) throw new Error(detail);
  return detail;
}

function isRefused(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    () => true,
  );
}

/** Rejects if `work` takes longer than the time limit of one check. */
function limitTime<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('It took longer than 4 s.')), CHECK_TIMEOUT_MS);
  return Promise.race([work, timeout.promise]).finally(() => clearTimeout(timer));
}

async function runPageChecks(): Promise<readonly PageCheck[]> {
  const session = await connectBackend();
  const results: PageCheck[] = [];
  for (const [name, run] of Object.entries(checks)) {
    results.push(
      await limitTime(run(session)).then(
        (detail) => ({ name, ok: true, detail }),
        (error: unknown) => ({ name, ok: false, detail: String(error) }),
      ),
    );
  }
  return results;
}

window.pageChecks = runPageChecks();
