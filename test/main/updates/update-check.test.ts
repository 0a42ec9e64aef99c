import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { LogRecord } from '../../../src/host/index.ts';
import { checkForUpdate } from '../../../src/main/updates/update-check.ts';

/** Check 21: a request for the latest version is sent only if the user has turned it on, and contains no data. */
const DAY = 24 * 60 * 60_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server with the latest release. Returns the address and the requests it has received. */
async function startReleaseServer(answer: Answer) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest.json` };
}

const answerVersion =
  (version: unknown): Answer =>
  (_request, response) =>
    response.end(JSON.stringify({ version, page: 'https://evil.test/' }));

/** Creates a check with settings in memory and a clock that the test sets. */
function createCheck(url: string, stored: Record<string, unknown> = { 'updates.notify': true }) {
  const log: LogRecord[] = [];
  const clock = { now: Date.UTC(2026, 8, 14, 9) };
  const client = {
    settings: {
      all: async () => stored,
      async set({ key, value }: { key: string; value: unknown }) {
        stored[key] = value;
        return stored;
      },
    },
  };
  const stop = new AbortController();
  const options = {
    client: client as never,
    version: '1.9.2',
    url,
    log: (record: LogRecord) => void log.push(record),
    signal: stop.signal,
    fetch,
    now: () => clock.now,
  };
  return { check: () => checkForUpdate(options), log, clock, stored, stop };
}

test('requests nothing unless the user has turned it on', async () => {
  const { requests, url } = await startReleaseServer(answerVersion('2.0.0'));
  for (const stored of [{}, { 'updates.notify': false }, { 'updates.notify': 'true' }])
    expect(await createCheck(url, stored).check()).toBeNull();
  expect(requests).toEqual([]);
});

test('reports a later version, and none if this one is the latest', async () => {
  for (const [latest, expected] of [
    ['1.10.0', '1.10.0'],
    ['1.9.2', null],
    ['1.9.1', null],
    ['1.9.2-rc.1', null],
  ]) {
    const { url } = await startReleaseServer(answerVersion(latest));
    const { check, log } = createCheck(url);
    expect(await check()).toBe(expected);
    expect(log).toMatchObject([{ level: 'info', msg: 'Checked for an update.', latest }]);
  }
});

test('sends at most one request per day, also after an error and a restart', async () => {
  let status = 500;
  const { requests, url } = await startReleaseServer((_request, response) => {
    response.statusCode = status;
    response.end('{"version":"2.0.0"}');
  });
  const { check, clock, stored } = createCheck(url);
  expect(await check()).toBeNull();
  status = 200;
  clock.now += DAY - 1;
  expect(await createCheck(url, { ...stored }).check()).toBe(null);
  expect(await check()).toBeNull();
  expect(requests).toHaveLength(1);
  clock.now += 1;
  expect(await check()).toBe('2.0.0');
  expect(requests).toHaveLength(2);
});

test('a request time in the future, from a wrong clock, does not stop the checks', async () => {
  const { url } = await startReleaseServer(answerVersion('2.0.0'));
  const { check, clock, stored } = createCheck(url);
  stored['updates.requested'] = clock.now + 400 * DAY;
  expect(await check()).toBe('2.0.0');
});

test('the request contains nothing about the user, the computer or the version', async () => {
  const { requests, url } = await startReleaseServer(answerVersion('2.0.0'));
  await createCheck(url).check();
  expect(requests).toHaveLength(1);
  const [request] = requests;
  expect(request).toMatchObject({ method: 'GET', url: '/latest.json' });
  expect(request?.headers).toMatchObject({
    'user-agent': 'Tieout',
    'accept-language': 'en',
    accept: 'application/json',
  });
  expect(
    Object.keys(request?.headers ?? {}).filter((name) => /cookie|auth|referer|origin/.test(name)),
  ).toEqual([]);
  expect(JSON.stringify(request?.headers)).not.toContain('1.9.2');
});

const wrongAnswers: Record<string, Answer> = {
  'no JSON': (_request, response) => response.end('<html>Sign in to the network</html>'),
  'no version': answerVersion({ $gt: '' }),
  'an invalid version': answerVersion('newest'),
  'an endless answer': (_request, response) => {
    const timer = setInterval(() => response.write('{'.repeat(5_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  'a redirect': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  'a cut connection': (request) => request.socket.destroy(),
};
test.each(Object.keys(wrongAnswers))('%s shows nothing', async (name) => {
  const { url, requests } = await startReleaseServer(wrongAnswers[name] as Answer);
  expect(await createCheck(url).check()).toBeNull();
  expect(requests).toHaveLength(1);
});

test('without a network, the failure is only logged', async () => {
  const { check, log } = createCheck('http://127.0.0.1:9/');
  expect(await check()).toBeNull();
  expect(log).toMatchObject([{ level: 'info', msg: 'The check for an update failed.' }]);
});

test('a server that does not answer is not waited for when the app ends', async () => {
  const { url } = await startReleaseServer(() => undefined);
  const { check, stop } = createCheck(url);
  const checking = check();
  setTimeout(() => stop.abort(), 50);
  expect(await checking).toBeNull();
});
