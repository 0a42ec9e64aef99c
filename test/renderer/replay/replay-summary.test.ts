import { describe, expect, test } from 'vitest';
import { replayJobSchema } from '../../../src/contract/index.ts';
import { countFailedWebhooks } from '../../../src/renderer/replay/replay-outcomes.ts';
import {
  countReplayWebhooks,
  getReplayStepNumber,
  summarizeReplay,
} from '../../../src/renderer/replay/replay-summary.ts';
import { createSampleReplay, type SampleReplayState, sampleReplayStates } from '../fake/replays.ts';

describe('replay summary', () => {
  test.each(sampleReplayStates)('%s has a title and complete sentences', (pose) => {
    const replay = replayJobSchema.parse(createSampleReplay(pose));
    const { title, text } = summarizeReplay(replay);
    expect(title).toMatch(/^[A-Z0-9].*[^.]$/);
    expect(text).toMatch(/^[A-Z0-9].*\.$/);
    expect(`${title} ${text}`).not.toMatch(/undefined|null|NaN/);
  });

  test('every state has its own title', () => {
    const titles = sampleReplayStates.map((pose) => summarizeReplay(createSampleReplay(pose)).title);
    expect(new Set(titles).size).toBe(sampleReplayStates.length);
  });

  test.each<[SampleReplayState, number]>([
    ['canary', 0],
    ['step', 2],
    ['full', 3],
    ['last', 4],
    ['breaker', 3],
    ['stopped', 0],
    ['done', 5],
  ])('%s is at step %d', (pose, step) => expect(getReplayStepNumber(createSampleReplay(pose))).toBe(step));

  test('webhooks in flight are always mentioned', () => {
    expect(summarizeReplay(createSampleReplay('paused')).text).toContain(
      'The service already has 12 webhooks',
    );
    const idle = { ...createSampleReplay('paused'), in_flight: 0 };
    expect(summarizeReplay(idle).text).toBe('Nothing is being sent.');
    expect(summarizeReplay(createSampleReplay('canceled')).text).toContain('12 webhooks were already queued');
  });

  test('an open breaker shows the number of the next attempt', () => {
    expect(summarizeReplay(createSampleReplay('breaker')).text).toContain('attempt 2 of 3');
  });

  test('a finished replay with failures is shown as failed', () => {
    const replay = createSampleReplay('failures');
    expect(countFailedWebhooks(replay)).toBe(293);
    expect(countReplayWebhooks(replay)).toBe(2804);
    expect(summarizeReplay(replay)).toMatchObject({ tone: 'bad', title: '293 of 2,804 were not accepted' });
    expect(summarizeReplay(createSampleReplay('done')).tone).toBe('good');
  });
});
