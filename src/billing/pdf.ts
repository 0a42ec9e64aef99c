import { BODY_CAP } from './answers.ts';
import type { AnswerMeta } from './entities.ts';
import { unreadable } from './refusals.ts';
import {
  ended,
  isSuccess,
  mayRepeat,
  metaOf,
  open,
  type Request,
  type Requesting,
  refused,
  type Try,
} from './requests.ts';
import type { Headers, Incoming } from './transport.ts';
import { Unreadable } from './unreadable.ts';

/** A statement's PDF, on its way. */
export interface PdfStream {
  /** `bytes` is what the service announced (Content-Length), 0 where it did not. */
  meta: AnswerMeta;
  headers: Headers;
  /**
   * The bytes as they come, once; at least the beginning is known to be that of a PDF. Throws BillingError where the rest
   * does not come. Read it to the end, break off, or call `close`: until then it holds one of the few connections.
   */
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

const MARK = '%PDF-';
/** The mark may stand anywhere in the first kilobyte (PDF 1.7, appendix H 3.4.1). */
const SEARCHED = 1024;

async function openOnce(requesting: Requesting, request: Request, attempt: number): Promise<PdfStream> {
  const trial = await open(requesting, request, attempt);
  const { incoming } = trial;
  try {
    if (!isSuccess(incoming.status)) throw await refused(request, trial, requesting.now());
    const beginning = await beginningOf(incoming);
    if (!beginning.subarray(0, SEARCHED).includes(MARK)) {
      const why = new Unreadable(
        beginning.length === 0 ? 'is empty' : 'is not a PDF',
        beginning.length === 0,
      );
      throw unreadable(request, why, incoming.status, incoming.headers, beginning);
    }
    const announced = Number(incoming.headers['content-length'] ?? 0);
    return {
      meta: metaOf(trial, Number.isSafeInteger(announced) ? announced : 0),
      headers: incoming.headers,
      body: bodyOf(trial, beginning),
      close: () => {
        incoming.close();
        trial.end(0);
      },
    };
  } catch (error) {
    incoming.close();
    throw ended(trial, 0, error);
  }
}

async function beginningOf(incoming: Incoming): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < SEARCHED && !beginning.includes(MARK)) {
    const next = await incoming.next(BODY_CAP);
    if (next === null) break;
    beginning =
      beginning.length === 0
        ? Buffer.from(next.buffer, next.byteOffset, next.length)
        : Buffer.concat([beginning, next]);
  }
  return beginning;
}

async function* bodyOf(trial: Try, beginning: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  const { incoming } = trial;
  let bytes = beginning.length;
  try {
    yield beginning;
    for (let next = await incoming.next(BODY_CAP); next !== null; next = await incoming.next(BODY_CAP)) {
      bytes += next.length;
      yield next;
    }
  } catch (error) {
    throw ended(trial, bytes, error);
  } finally {
    incoming.close();
    trial.end(bytes);
  }
}

/** Opens a PDF; what fails before its first bytes is repeated like any read. */
export async function openPdf(requesting: Requesting, request: Request): Promise<PdfStream> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openOnce(requesting, request, attempt);
    } catch (error) {
      if (!(await mayRepeat(requesting, request, error, attempt))) throw error;
    }
  }
}
