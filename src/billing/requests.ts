import type { Address } from './address.ts';
import { BODY_CAP, type Decoded, decode, type Format } from './answers.ts';
import type { AnswerMeta, Problem } from './entities.ts';
import { BillingError } from './errors.ts';
import { httpDate } from './instant.ts';
import { isUnreachable } from './network-errors.ts';
import type { Pacing, Slot } from './pacing.ts';
import type { Reading } from './reading.ts';
import { basic, type Redactor, redactorOf } from './redaction.ts';
import { type Asked, refusal, retryAfter, unreadable } from './refusals.ts';
import type { Headers, Incoming, Transport } from './transport.ts';
import { Unreadable } from './unreadable.ts';
import type { JsonValue } from './value.ts';

/** What a request is for; counted by these. */
export type RequestKind =
  | 'webhooks'
  | 'replay'
  | 'allocations'
  | 'create_allocation'
  | 'create_allocations'
  | 'statement_ids'
  | 'statements'
  | 'statement'
  | 'statement_pdf';

/** One exchange with the service, told when it has ended; a call that is retried tells of each. */
export interface RequestEvent {
  kind: RequestKind;
  method: 'GET' | 'POST';
  /** With the query, without the origin. */
  path: string;
  /** 1 for the first try. */
  attempt: number;
  /** Absent where no answer came. */
  status?: number;
  bytes?: number;
  ms: number;
  /** The code of the error it ended in, where it did. */
  error?: string;
  /** Nothing more is sent before this moment, ms UTC, our clock: the service asked to wait. Absent where it did not. */
  paused_until?: number;
}

/** A request of the interface, before it has a key. */
export interface Request extends Asked {
  kind: RequestKind;
  method: 'GET' | 'POST';
  path: string;
  accept: string;
  content: { type: string; text: string } | null;
  signal: AbortSignal | undefined;
  tries: number | undefined;
}

/** A request whose answer is read whole. */
export interface Call<T> extends Request {
  format: Format;
  read: (tree: JsonValue, reading: Reading) => T;
  /** What is given where the service says 201, so it is done, but its answer cannot be read. */
  created?: T;
}

export interface Answer<T> {
  value: T;
  problems: Problem[];
  meta: AnswerMeta;
}

export interface Requesting {
  readonly address: Address;
  readonly transport: Transport;
  readonly pacing: Pacing;
  readonly key: () => Promise<string>;
  readonly now: () => number;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  /** Whether any answer ever came. */
  reached: boolean;
}

/** Tries where no connection to the service was ever had: somebody waits to hear that they are offline. */
const FIRST_TRIES = 2;

/** One try, underway: its slot, its clock, and what takes the key out of its errors. */
export interface Try {
  readonly slot: Slot;
  readonly started_at: number;
  readonly redactor: Redactor;
  readonly incoming: Incoming;
  /** Ends the try: frees the slot by how it went and tells `onRequest`. */
  end(bytes: number, error?: BillingError): void;
}

/** Waits for its turn, asks for the key, and sends. The key lives in this closure and in the header, nowhere else. */
export async function open(requesting: Requesting, request: Request, attempt: number): Promise<Try> {
  const { address, transport, pacing, now } = requesting;
  const slot = await pacing.enter(request.signal);
  let key: string;
  try {
    key = await requesting.key();
    if (key === '') throw noKey(address.host);
  } catch (error) {
    slot.ended();
    throw error;
  }

  const redactor = redactorOf(key);
  const started_at = now();
  const clock = performance.now();
  const path = address.prefix + request.path;
  let incoming: Incoming | undefined;
  let open = true;

  function end(bytes: number, error?: BillingError): void {
    if (!open) return;
    open = false;
    const wait = incoming === undefined ? null : retryAfter(incoming.headers, now());
    if (incoming?.status === 429) slot.limited(wait);
    else if (incoming?.status === 503 || error?.code === 'timeout') slot.strained(wait);
    else if (incoming === undefined || incoming.status >= 500 || error?.code === 'network') slot.ended();
    else slot.good(request.kind, incoming.ms);
    const { paused_until } = pacing.state();
    requesting.onRequest?.({
      kind: request.kind,
      method: request.method,
      path,
      attempt,
      ...(incoming === undefined ? {} : { status: incoming.status, bytes }),
      ms: performance.now() - clock,
      ...(error === undefined ? {} : { error: error.code }),
      ...(paused_until === null ? {} : { paused_until }),
    });
  }

  const headers: Record<string, string> = {
    accept: request.accept,
    'accept-encoding': request.kind === 'statement_pdf' ? 'identity' : 'gzip',
    authorization: basic(key),
    'user-agent': 'Tieout',
  };
  if (request.content !== null) headers['content-type'] = request.content.type;
  try {
    const body = request.content?.text || undefined;
    incoming = await transport.send({ ...request, path, headers, body });
    requesting.reached = true;
  } catch (error) {
    throw ended({ redactor, end }, 0, error);
  }
  return { slot, started_at, redactor, incoming, end };
}

/** Ends a try that failed, and gives the error to throw: without the key, where it is one of ours. */
export function ended(
  { redactor, end }: Pick<Try, 'redactor' | 'end'>,
  bytes: number,
  error: unknown,
): unknown {
  if (!(error instanceof BillingError)) {
    end(bytes);
    return error;
  }
  const failed = redactor.error(error);
  end(bytes, failed);
  return failed;
}

function noKey(host: string): BillingError {
  return new BillingError('auth', `There is no API key for ${host}.`, { hint: 'Give the key of this site.' });
}

export function metaOf({ incoming, started_at }: Try, bytes: number): AnswerMeta {
  const { headers, status } = incoming;
  return {
    server_time: httpDate(headers['date']),
    started_at,
    bytes,
    status,
    request_id: headers['x-request-id'] ?? null,
  };
}

/** The error of an answer that is no success; its body is read for what it says, and does not matter where it breaks off. */
export async function refused(request: Request, { incoming }: Try, now: number): Promise<BillingError> {
  const body = await incoming.whole(BODY_CAP).catch((error: unknown) => {
    if (error instanceof BillingError && error.code !== 'cancelled') return Buffer.alloc(0);
    throw error;
  });
  return refusal(request, incoming.status, incoming.headers, body, now);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function once<T>(requesting: Requesting, call: Call<T>, attempt: number): Promise<Answer<T>> {
  const trial = await open(requesting, call, attempt);
  const { incoming, redactor } = trial;
  let bytes = 0;
  try {
    if (!isSuccess(incoming.status)) throw await refused(call, trial, requesting.now());
    const body = await bodyOf(call, incoming);
    bytes = body.length;
    const { value, problems } = read(call, incoming.status, incoming.headers, body);
    trial.end(bytes);
    return { value, problems: redactor.problems(problems), meta: metaOf(trial, bytes) };
  } catch (error) {
    throw ended(trial, bytes, error);
  }
}

/** A body that breaks off behind a 201 does not undo what was done: it is read as empty. */
async function bodyOf<T>(call: Call<T>, incoming: Incoming): Promise<Buffer> {
  try {
    return await incoming.whole(BODY_CAP);
  } catch (error) {
    if (call.created !== undefined && incoming.status === 201) return Buffer.alloc(0);
    throw error;
  }
}

function read<T>(call: Call<T>, status: number, headers: Headers, body: Buffer): Decoded<T> {
  try {
    return decode(body, headers, call.format, call.read);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (call.created === undefined || status !== 201) throw unreadable(call, error, status, headers, body);
    const reason = `was created, but the answer ${error.message}`;
    return {
      value: call.created,
      problems: [{ place: '', reason, raw: body.toString('utf8'), row: 'refused' }],
    };
  }
}

/** Whether another try may be made, after the wait it needs. Writes are never repeated. */
export async function mayRepeat(
  { pacing, reached }: Requesting,
  request: Request,
  error: unknown,
  attempt: number,
): Promise<boolean> {
  if (!(error instanceof BillingError) || !error.retryable || request.write) return false;
  if (attempt >= (request.tries ?? pacing.tries)) return false;
  if (!reached && attempt >= FIRST_TRIES && isUnreachable(error)) return false;
  if ((error.retry_after_ms ?? 0) > pacing.longest_wait_ms) return false;
  // After a 429, or where the service named a time, the pause of the whole pacing is the wait.
  if (error.code !== 'rate_limited' && error.retry_after_ms === undefined) {
    await pacing.backoff(attempt, request.signal);
  }
  return true;
}

/** Makes a call: reads are repeated where that may help, writes are sent once. Throws BillingError. */
export async function perform<T>(requesting: Requesting, call: Call<T>): Promise<Answer<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(requesting, call, attempt);
    } catch (error) {
      if (!(await mayRepeat(requesting, call, error, attempt))) throw error;
    }
  }
}
