import { describe, expect, test } from 'vitest';
import {
  describeProrationScheme,
  describeSiteProration,
  formatProrationScheme,
} from '../../../src/domain/labels/allocations.ts';

describe('proration scheme of a change', () => {
  test('that names no scheme promises nothing about charges, whatever the latest change used', () => {
    for (const latest of [null, 'no-prorate', 'prorate-attempt-capture', 'prorate-delay-capture']) {
      expect(formatProrationScheme(null, latest)).toMatch(/^site default, unknown/);
    }
    expect(describeSiteProration('upgrade')).toContain('does not report the setting');
    expect(describeSiteProration('downgrade')).toContain('whether a credit is added');
  });

  test('that is named states the effect that the interface defines', () => {
    expect(formatProrationScheme('no-prorate', 'prorate')).toBe('no-prorate');
    expect(describeProrationScheme('upgrade', 'no-prorate')).toBe('No charge is added.');
    expect(describeProrationScheme('upgrade', 'prorate-delay-capture')).toContain('not charged before');
  });

  test('that the interface does not define has no description', () => {
    expect(describeProrationScheme('upgrade', 'full-price-attempt-capture')).toBeNull();
    expect(describeSiteProration('none')).toBeNull();
  });
});
