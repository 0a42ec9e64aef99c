import { describe, expect, it } from 'vitest';
import { type QualityBar, qualityBars } from './quality-bars.ts';
import { formatReport, judgeBars } from './report.ts';

const bar: QualityBar = { title: 'Speed', shownBy: 'run', measures: /^run/, compared: 'ratio', limit: 2 };
const measure = (name: string, ratio: number) => ({ name, value: ratio * 10, baseline: 10, ratio });

describe('the report of the benchmarks', () => {
  it('compares the worst measure with the limit', () => {
    const [result] = judgeBars([bar], [measure('run small', 1), measure('run large', 3), measure('walk', 9)]);
    expect(result).toMatchObject({ worst: { name: 'run large' }, isMet: false, missedBy: 1.5 });
  });

  it('takes the smallest measure for a minimum', () => {
    const minimum: QualityBar = { ...bar, limit: 0.9, isMinimum: true };
    const [result] = judgeBars([minimum], [measure('run small', 0.6), measure('run large', 1)]);
    expect(result).toMatchObject({ worst: { name: 'run small' }, isMet: false });
    expect(result?.missedBy).toBeCloseTo(1.5);
    expect(judgeBars([minimum], [measure('run', 0.9)])[0]?.isMet).toBe(true);
  });

  it('does not count a bar as met if nothing measured it', () => {
    const results = judgeBars([bar], []);
    expect(results).toMatchObject([{ worst: null, isMet: false }]);
    expect(formatReport(results)).toContain('| Speed | ≤ 2 × |  |  |  | not measured | run |');
  });

  it('shows goal, measured value, baseline and ratio', () => {
    const table = formatReport(judgeBars([bar], [measure('run', 2.5)]));
    expect(table).toContain('| Speed | ≤ 2 × | 25 | 10 | 2.5 | missed by 1.25 × | run |');
    expect(formatReport(judgeBars([bar], [measure('run', 2)]))).toContain('| met |');
  });

  it('reports a limit of 0 as missed without a factor', () => {
    const none: QualityBar = { ...bar, compared: 'value', limit: 0 };
    expect(formatReport(judgeBars([none], [measure('run', 1)]))).toContain('| missed |');
  });

  it('states each bar once', () => {
    const titles = qualityBars.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
