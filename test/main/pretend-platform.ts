import { onTestFinished } from 'vitest';

/** Simulates another platform until the end of the test. */
export function pretendPlatform(platform: NodeJS.Platform): void {
  const actual = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: actual }));
}
