import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../src/billing/http/service-address.ts';
import { BillingError, createBillingClient } from '../../../src/billing/index.ts';

describe('the address of a site', () => {
  it.each([
    ['https://acme.example.com', 'https://acme.example.com', ''],
    [' https://acme.example.com/ ', 'https://acme.example.com', ''],
    ['https://ACME.example.com:443//', 'https://acme.example.com', ''],
    ['https://example.com:8443/billing/acme/', 'https://example.com:8443', '/billing/acme'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', ''],
    ['http://127.5.5.5/', 'http://127.5.5.5', ''],
    ['http://localhost:80/x', 'http://localhost', '/x'],
    ['http://acme.localhost:1234', 'http://acme.localhost:1234', ''],
    ['http://[::1]:8080', 'http://[::1]:8080', ''],
    ['http://2130706433/', 'http://127.0.0.1', ''],
  ])('%s is accepted', (text, origin, prefix) => {
    expect(parseBaseUrl(text)).toMatchObject({ origin, prefix });
  });

  it.each([
    ['', 'is not a valid URL'],
    ['acme', 'is not a valid URL'],
    ['acme.example.com', 'is not a valid URL'],
    ['http://acme.example.com', 'unencrypted'],
    ['http://10.0.0.1', 'unencrypted'],
    ['http://127.0.0.1.evil.test', 'unencrypted'],
    ['http://localhost.evil.test', 'unencrypted'],
    ['http://evil.test/localhost', 'unencrypted'],
    ['http://0.0.0.0', 'unencrypted'],
    ['http://[::ffff:7f00:1]', 'unencrypted'],
    ['ftp://acme.example.com', 'ftp'],
    ['file:///etc/passwd', 'file'],
    ['javascript:alert(1)', 'javascript'],
    ['https://key:x@acme.example.com', 'user name or password'],
    ['https://key@acme.example.com', 'user name or password'],
    ['https://acme.example.com?x=1', 'query'],
    ['https://acme.example.com/?', 'query'],
    ['https://acme.example.com#top', 'fragment'],
    ['https://acme.example.com/#', 'fragment'],
  ])('%s is rejected with a message', (text, said) => {
    const make = () =>
      createBillingClient({ baseUrl: text, format: 'json', getApiKey: async () => 'secret' });
    expect(make).toThrow(BillingError);
    expect(make).toThrow(said);
    expect(make).toThrow(
      expect.objectContaining({ code: 'validation', hint: expect.stringMatching(/.{10}/) }),
    );
  });

  it('with credentials is rejected without repeating them', () => {
    try {
      parseBaseUrl('https://topsecretkey:x@acme.example.com');
    } catch (error) {
      expect(JSON.stringify(error) + (error as Error).message).not.toContain('topsecretkey');
    }
  });
});
