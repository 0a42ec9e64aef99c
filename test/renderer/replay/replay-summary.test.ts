import { describe, expect, test } from 'vitest';
import { replayJob } from '../../../src/contract/index.ts';
import { countFailures } from '../../../src/renderer/replay/replay-outcomes.ts';
import { countWebhooks, findRampStep, summarizeReplay } from '../../../src/renderer/replay/replay-summary.ts';
import { type Pose, posed, poses } from '../fake/replays.ts';

describe('how a replay stands', () => {
  test.each(poses)('%s is a replay, and is told in a title and whole sentences', (pose) => {
    const replay = replayJob.parse(posed(pose));
    const { title, text } = summarizeReplay(replay);
    expect(title).toMatch(/^[A-Z0-9].*[^.]$/);
    expect(text).toMatch(/^[A-Z0-9].*\.$/);
    expect(`${title} ${text}`).not.toMatch(/undefined|null|NaN/);
  });

  test('no two states read alike', () => {
    const told = poses.map((pose) => summarizeReplay(posed(pose)).title);
    expect(new Set(told).size).toBe(poses.length);
  });

  test.each<[Pose, number]>([
    ['canary', 0],
    ['step', 2],
    ['full', 3],
    ['last', 4],
    ['breaker', 3],
    ['stopped', 0],
    ['done', 5],
  ])('%s stands at step %d', (pose, step) => expect(findRampStep(posed(pose))).toBe(step));

  test('what is with the service is never called nothing', () => {
    expect(summarizeReplay(posed('paused')).text).toContain('12 webhooks are with the service already');
    const still = { ...posed('paused'), in_flight: 0 };
    expect(summarizeReplay(still).text).toBe('Nothing is sent and nothing is underway.');
    expect(summarizeReplay(posed('canceled')).text).toContain('12 webhooks were queued already');
  });

  test('an open breaker says which try comes next', () => {
    expect(summarizeReplay(posed('breaker')).text).toContain('try 2 of 3');
  });

  test('done with failures is not called good', () => {
    const replay = posed('failures');
    expect(countFailures(replay)).toBe(293);
    expect(countWebhooks(replay)).toBe(2804);
    expect(summarizeReplay(replay)).toMatchObject({ tone: 'bad', title: '293 of 2,804 were not accepted' });
    expect(summarizeReplay(posed('done')).tone).toBe('good');
  });
});
