import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AlertState,
  type AlertToSend,
  areQuietHoursAt,
  assessEndpoint,
  assessSilence,
  decideAlerts,
  type EndpointHealth,
} from '../../../src/domain/webhooks/endpoint-alerts.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 4, 4);
const ENDPOINT = 'https://hooks.merchant.test/in';

const healthAt = (now: number, failures: number, more: Partial<EndpointHealth> = {}): EndpointHealth => ({
  endpoint: ENDPOINT,
  failures,
  failing_since: failures === 0 ? null : now - 1000,
  last_attempt_at: now,
  accepted_at: failures === 0 ? now : now - 2000,
  status: null,
  ...more,
});

/**
 * Continues the history of an endpoint. More failures than before continue an outage. Fewer follow an acceptance just before
 * `now`, which nobody may have seen.
 */
function continueHealth(before: EndpointHealth | null, now: number, failures: number): EndpointHealth {
  const isSameOutage = before !== null && before.failures > 0 && failures >= before.failures;
  return isSameOutage ? { ...before, failures, last_attempt_at: now } : healthAt(now, failures);
}

/** Remembers the states of a simulated site, as the books do. */
class Watch {
  states: AlertState[] = [];
  readonly sent: (AlertToSend & { at: number })[] = [];

  see(health: EndpointHealth[], now: number, isQuiet = false): AlertToSend[] {
    const conditions = health.map((each) => assessEndpoint(each, now));
    // A restart keeps only what was saved.
    const saved = JSON.parse(JSON.stringify(this.states)) as AlertState[];
    const { alerts, states } = decideAlerts(saved, conditions, { now, isQuiet });
    for (const state of states)
      this.states = [...this.states.filter(({ endpoint }) => endpoint !== state.endpoint), state];
    this.sent.push(...alerts.map((alert) => ({ ...alert, at: now })));
    return alerts;
  }
}

describe('an endpoint', () => {
  test.each([
    [2, null],
    [3, 'failing'],
    [15, 'failing'],
    [16, 'pausing'],
    [25, 'pausing'],
    [26, 'paused'],
    [50, 'paused'],
    [51, 'disabled'],
  ])('with %i failures in a row is assessed as %s', (failures, problem) => {
    expect(assessEndpoint(healthAt(START, failures), START).problem).toBe(problem);
  });

  test('is disabled after 48 hours of a pause, but not of a few failures', () => {
    const failing_since = START - 48 * HOUR;
    expect(assessEndpoint(healthAt(START, 30, { failing_since }), START).problem).toBe('disabled');
    expect(assessEndpoint(healthAt(START, 5, { failing_since }), START).problem).toBe('failing');
  });

  test('has the status that the service reports', () => {
    const problemOf = (failures: number, status: string) =>
      assessEndpoint(healthAt(START, failures, { status }), START).problem;
    expect(problemOf(0, 'disabled')).toBe('disabled');
    expect(problemOf(4, 'Paused')).toBe('paused');
    expect(problemOf(60, 'enabled')).toBe('pausing');
    expect(problemOf(0, 'something new')).toBeNull();
  });

  test('that has not been used for a week is no problem', () => {
    expect(assessEndpoint(healthAt(START, 40), START + 8 * 24 * HOUR).problem).toBeNull();
  });
});

test('a typical outage alerts once per step and once at the recovery', () => {
  const watch = new Watch();
  const failures = [0, 1, 4, 4, 9, 17, 20, 26, 30, 51, 70, 0, 0];
  let health: EndpointHealth | null = null;
  const steps = failures.map((count, i) => {
    health = continueHealth(health, START + i * HOUR, count);
    return watch.see([health], START + i * HOUR);
  });
  expect(steps.map((alerts) => alerts.map(({ kind }) => kind).join())).toEqual([
    ...['', '', 'failing', '', '', 'pausing', '', 'paused', '', 'disabled', '', 'recovered', ''],
  ]);
});

test('a second outage alerts again, although nobody saw the recovery between them', () => {
  const watch = new Watch();
  const at = (hours: number) => START + hours * HOUR;
  const first = healthAt(START, 60);
  expect(watch.see([first], START)).toMatchObject([{ kind: 'disabled' }]);
  // Accepted at hour 5. Fails again from hour 9.
  const again = { accepted_at: at(5), failing_since: at(9) };
  const see = (failures: number, hours: number) =>
    watch.see([healthAt(at(hours), failures, again)], at(hours)).map(({ kind, since }) => [kind, since]);
  expect(see(5, 10)).toEqual([['failing', at(9)]]);
  expect(see(40, 11)).toEqual([['paused', at(9)]]);
  expect(see(45, 12)).toEqual([]);
  expect(see(52, 13)).toEqual([['disabled', at(9)]]);
  expect(see(80, 14)).toEqual([]);
});

test('a status that the service still reports after an acceptance is no second outage', () => {
  const watch = new Watch();
  const disabled = { status: 'disabled' };
  expect(watch.see([healthAt(START, 60, disabled)], START)).toMatchObject([{ kind: 'disabled' }]);
  expect(watch.see([healthAt(START + HOUR, 0, disabled)], START + HOUR)).toEqual([]);
  expect(watch.see([healthAt(START + 2 * HOUR, 1, disabled)], START + 2 * HOUR)).toMatchObject([
    { kind: 'disabled' },
  ]);
});

test('a second silence alerts again, although nobody saw the webhooks between them', () => {
  const [first, second] = [START, START + 30 * HOUR];
  const see = (states: AlertState[], from: number) =>
    decideAlerts(states, [assessSilence({ from }, from)], { now: from + 9 * HOUR, isQuiet: false });
  const { states } = see([], first);
  expect(see(states, first).alerts).toEqual([]);
  expect(see(states, second).alerts).toMatchObject([{ kind: 'silent', since: second }]);
});

test('a silent log alerts once, unless a disabled endpoint explains it, and recovers with new webhooks', () => {
  const silence = { from: START - 20 * HOUR };
  const clock = { now: START, isQuiet: false };
  const disabled = assessEndpoint(healthAt(START, 55), START);
  const silent = assessSilence(silence, silence.from);
  expect(decideAlerts([], [disabled, silent], clock).alerts.map(({ kind }) => kind)).toEqual(['disabled']);
  const { alerts, states } = decideAlerts([], [silent], clock);
  expect(alerts).toMatchObject([{ kind: 'silent', endpoint: null, since: silence.from }]);
  expect(decideAlerts(states, [silent], clock).alerts).toEqual([]);
  // Without a newer webhook, the end of the silence is not proved.
  expect(decideAlerts(states, [assessSilence(null, silence.from)], clock).alerts).toEqual([]);
  expect(decideAlerts(states, [assessSilence(null, START)], clock).alerts).toMatchObject([
    { kind: 'recovered', endpoint: null, since: START },
  ]);
});

test.each([
  ['22:00', '07:00', '23:59', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['12:00', '13:00', '12:00', true],
  ['12:00', '13:00', '13:00', false],
])('quiet hours from %s to %s contain %s: %s', (from, to, time, isQuiet) => {
  expect(areQuietHoursAt({ from, to }, time)).toBe(isQuiet);
  expect(areQuietHoursAt(null, time)).toBe(false);
});

/** Steps of two endpoints: number of failures of each, minutes since the last step, quiet hours and reported status. */
const stepsOf = fc.array(
  fc.record({
    failures: fc.tuple(fc.nat(70), fc.nat(70)),
    minutes: fc.integer({ min: 1, max: 600 }),
    isQuiet: fc.boolean(),
    status: fc.constantFrom(null, 'enabled', 'paused', 'disabled'),
  }),
  { maxLength: 40 },
);
const severity = { failing: 1, silent: 1, pausing: 2, paused: 3, disabled: 4, recovered: 0 };

describe('for any history', () => {
  test('each outage alerts once per step, even if nobody saw the recovery before it', () => {
    fc.assert(
      fc.property(stepsOf, (steps) => {
        const watch = new Watch();
        const history: (EndpointHealth | null)[] = [null, null];
        const latest: { severity: number; since: number; startedAt: number }[] = [0, 1].map(() => ({
          ...{ severity: 0, since: -Infinity, startedAt: -Infinity },
        }));
        let now = START;
        for (const { failures, minutes, isQuiet, status } of steps) {
          now += minutes * 60_000;
          const health = failures.map((count, i) => ({
            ...continueHealth(history[i] ?? null, now, count),
            endpoint: `${ENDPOINT}/${i}`,
            status: i === 0 ? status : null,
          }));
          history.splice(0, 2, ...health);
          const alerts = watch.see(health, now, isQuiet);
          if (isQuiet) expect(alerts).toEqual([]);
          // Seeing the same facts again changes nothing, in the same process or after a restart.
          expect(watch.see(health, now, isQuiet)).toEqual([]);
          if (isQuiet) continue;
          for (const [i, facts] of health.entries()) {
            const before = latest[i] as (typeof latest)[number];
            const hasRecovered = (facts.accepted_at ?? 0) > before.since;
            const { problem } = assessEndpoint(facts, now);
            const severityNow = severity[problem ?? 'recovered'];
            for (const { kind, since } of alerts.filter(({ endpoint }) => endpoint === facts.endpoint)) {
              if (kind === 'recovered') expect(before.severity).toBeGreaterThan(0);
              // An outage that the service or the log shows after an acceptance is a new one.
              else if (!hasRecovered || facts.failures === 0)
                expect(severity[kind]).toBeGreaterThan(before.severity);
              if (kind === 'failing') expect(now - before.startedAt).toBeGreaterThanOrEqual(HOUR);
              Object.assign(before, { severity: severity[kind], since, startedAt: now });
            }
            // Nothing is missed: the present outage was alerted when it was this severe.
            const isAlerted =
              before.severity >= severityNow &&
              (facts.failures === 0 || before.since >= (facts.accepted_at ?? 0));
            if (problem !== null && !isAlerted)
              expect([severityNow, now - before.startedAt < HOUR]).toEqual([1, true]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('quiet hours delay alerts, but the state afterwards is alerted as without them', () => {
    fc.assert(
      fc.property(stepsOf, fc.nat(70), (steps, last) => {
        const [quiet, loud] = [new Watch(), new Watch()];
        let now = START;
        for (const { failures, minutes, isQuiet } of steps) {
          now += minutes * 60_000;
          const health = [healthAt(now, failures[0])];
          quiet.see(health, now, isQuiet);
          loud.see(health, now);
        }
        now += 2 * HOUR;
        const health = [healthAt(now, last)];
        quiet.see(health, now);
        loud.see(health, now);
        const problemOf = ({ states }: Watch) => states[0]?.problem ?? null;
        const { problem } = assessEndpoint(health[0] as EndpointHealth, now);
        if (problem === null) expect(problemOf(quiet)).toBeNull();
        for (const watch of [quiet, loud])
          expect(severity[problemOf(watch) ?? 'recovered']).toBeGreaterThanOrEqual(
            severity[problem ?? 'recovered'],
          );
      }),
    );
  });
});
