import { UnreadableResponseError } from '../formats/unreadable-response.ts';
import type { ResponseMetadata } from '../records/record-types.ts';
import { createUnreadableResponseError } from './error-responses.ts';
import {
  type BillingRequest,
  endRequestAttemptWithError,
  isSuccessStatus,
  type RequestAttempt,
  type RequestContext,
  readErrorResponse,
  shouldRetry,
  startRequestAttempt,
  toResponseMetadata,
} from './requests.ts';
import { MAX_BODY_BYTES } from './response-decoding.ts';
import type { IncomingResponse, ResponseHeaders } from './transport.ts';

/** A statement PDF that is being downloaded. */
export interface PdfStream {
  /** Metadata of the response. `bytes` is the Content-Length, or 0 if the service sent none. */
  meta: ResponseMetadata;
  headers: ResponseHeaders;
  /**
   * Content of the PDF, which starts with a PDF signature and can be read only once. Throws BillingError if the download
   * is interrupted. Read it to the end, stop iterating or call `close`, because an open stream occupies one of the few
   * connections.
   */
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

const PDF_SIGNATURE = '%PDF-';
/** Number of leading bytes that may contain the PDF signature (PDF 1.7, appendix H 3.4.1). */
const SIGNATURE_SEARCH_BYTES = 1024;

async function attemptPdf(
  context: RequestContext,
  request: BillingRequest,
  attemptNumber: number,
): Promise<PdfStream> {
  const attempt = await startRequestAttempt(context, request, attemptNumber);
  const { incoming } = attempt;
  try {
    if (!isSuccessStatus(incoming.status)) throw await readErrorResponse(request, attempt, context.now());
    const beginning = await readBeginning(incoming);
    if (!beginning.subarray(0, SIGNATURE_SEARCH_BYTES).includes(PDF_SIGNATURE)) {
      const isEmpty = beginning.length === 0;
      const reason = new UnreadableResponseError(isEmpty ? 'is empty' : 'is not a PDF', isEmpty);
      const { status, headers } = incoming;
      throw createUnreadableResponseError(request, reason, { status, headers, body: beginning });
    }
    const announced = Number(incoming.headers['content-length'] ?? 0);
    return {
      meta: toResponseMetadata(attempt, Number.isSafeInteger(announced) ? announced : 0),
      headers: incoming.headers,
      body: streamBody(attempt, beginning),
      close: () => {
        incoming.close();
        attempt.end(0);
      },
    };
  } catch (error) {
    incoming.close();
    throw endRequestAttemptWithError(attempt, 0, error);
  }
}

async function readBeginning(incoming: IncomingResponse): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < SIGNATURE_SEARCH_BYTES && !beginning.includes(PDF_SIGNATURE)) {
    const chunk = await incoming.readChunk(MAX_BODY_BYTES);
    if (chunk === null) break;
    beginning =
      beginning.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([beginning, chunk]);
  }
  return beginning;
}

async function* streamBody(
  attempt: RequestAttempt,
  beginning: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { incoming } = attempt;
  let bytes = beginning.length;
  try {
    yield beginning;
    for (;;) {
      const chunk = await incoming.readChunk(MAX_BODY_BYTES);
      if (chunk === null) return;
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw endRequestAttemptWithError(attempt, bytes, error);
  } finally {
    incoming.close();
    attempt.end(bytes);
  }
}

/** Opens a PDF download. A failure before the first bytes is retried like any other read. */
export async function openPdfStream(context: RequestContext, request: BillingRequest): Promise<PdfStream> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptPdf(context, request, attempt);
    } catch (error) {
      if (!(await shouldRetry(context, request, error, attempt))) throw error;
    }
  }
}
