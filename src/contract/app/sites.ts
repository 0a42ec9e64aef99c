import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import {
  defineRemoteSiteCommand,
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
  remoteCommandProcedure,
} from '../shared/procedure-kinds.ts';

const wireFormatSchema = z.enum(['json', 'xml']);

/** Details of a site from the service. Null means unknown, because older versions of the service report no details. */
const serviceDetailsSchema = z.object({
  /** Sites that bill by invoices (relationship invoicing) have no statements. */
  bills_by: z.enum(['statements', 'invoices']).nullable(),
  /** Currencies as ISO 4217 codes, the primary one first. Empty if unknown. */
  currencies: z.array(z.string()),
  is_test: z.boolean().nullable(),
  region: z.enum(['us', 'eu']).nullable(),
});

/** An endpoint that receives webhooks, as the service describes it. */
const webhookEndpointSchema = z.object({
  id: z.number().nullable(),
  url: z.string().nullable(),
  /** Status as the service names it, for example `enabled`, `paused` or `disabled`. */
  status: z.string().nullable(),
});

export const siteSchema = z.object({
  site: field.siteName,
  /** Display name of the site. */
  title: z.string(),
  base_url: z.string(),
  format: wireFormatSchema,
  /** Currency of the amounts as an ISO 4217 code: the service's primary currency unless the user has set another one. */
  currency: z.string(),
  /** Null if the details have never been requested from the service. */
  service_details: serviceDetailsSchema.nullable(),
  demo: z.boolean(),
  has_key: z.boolean(),
  /** Last four characters of the stored API key; null if no key is stored. */
  key_hint: z.string().nullable(),
  /** True if there is no keychain and the API key is kept in memory only until the app closes. */
  is_session_key: z.boolean(),
  created_at: field.moment,
  /** Oldest of the last sync times of the default parts; null if one was never synced completely. */
  last_synced_at: field.moment.nullable(),
  /**
   * Time zone of the times that the service sends, inferred from stored records: an IANA name, or a UTC offset. Null if
   * no record is stored.
   */
  time_zone: z.string().nullable(),
});
export type Site = z.infer<typeof siteSchema>;

const title = z.string().trim().min(1).max(80);
const baseUrl = z.string().trim().min(1).max(500);
const apiKey = z.string().min(1).max(500);
/**
 * True to keep the API key in memory until the app closes if there is no keychain to store it. Otherwise, a missing
 * keychain is the error `keychain_unavailable`.
 */
const allowSessionKey = z.boolean().default(false);

/** Result of a connection test. A test changes nothing. */
const siteTestSchema = z.object({
  ok: z.literal(true),
  /** Round-trip time of one small read, in milliseconds. */
  ms: z.number(),
  /** Sentence that describes the data read by the test. */
  message: z.string(),
  /** UTC offset of the service's times, for example `-05:00`; null if no time was received. */
  utc_offset: z.string().nullable(),
  /** Complete address of the service that responded, even if the user entered only a subdomain. */
  base_url: z.string(),
  service_details: serviceDetailsSchema,
});

const sharedKeyStatusSchema = z.object({
  stored: z.boolean(),
  /** Comparison with the newest stored webhook's signature. `unknown` if no signature or no key is stored. */
  signatures: z.enum(['match', 'differ', 'unknown']),
});
export type SharedKeyStatus = z.infer<typeof sharedKeyStatusSchema>;

export const siteProcedures = {
  list: queryProcedure.input(z.object({})).output(z.array(siteSchema)),
  get: defineSiteQuery().output(siteSchema),
  /** Tests the address and the key, and saves both if the service accepts them. The key goes to the keychain. */
  add: remoteCommandProcedure
    .input(
      z.object({
        title,
        /** Short name of the site. The default is derived from the title. */
        site: field.siteName.optional(),
        base_url: baseUrl,
        format: wireFormatSchema.default('json'),
        /** Currency of the amounts. The default is the primary currency that the service reports, or USD. */
        currency: field.currencyCode.optional(),
        /** API key. By default, the key already stored in the keychain under this name is used. */
        api_key: apiKey.optional(),
        allow_session_key: allowSessionKey,
        demo: z.boolean().default(false),
      }),
    )
    .output(siteSchema),
  /** Tests a saved site, or an address and a key that are not saved yet. */
  test: remoteCommandProcedure
    .input(
      z.union([
        z.object({ site: field.siteName }),
        z.object({ base_url: baseUrl, format: wireFormatSchema, api_key: apiKey }),
      ]),
    )
    .output(siteTestSchema),
  update: defineSiteCommand({
    title: title.optional(),
    base_url: baseUrl.optional(),
    format: wireFormatSchema.optional(),
    currency: field.currencyCode.optional(),
  }).output(siteSchema),
  /** Replaces the API key after the service has accepted the new one. */
  replaceKey: defineRemoteSiteCommand({
    api_key: apiKey,
    allow_session_key: allowSessionKey,
  }).output(siteSchema),
  /**
   * Stores the key with which the service signs the site's webhooks, in the keychain. Throws `validation` if the key
   * does not reproduce the signature of the newest stored webhook, unless `accept_mismatch` is true.
   */
  setSharedKey: defineSiteCommand({
    shared_key: z.string().min(1).max(500),
    /** True to store the key even if the stored webhooks were signed with another key. */
    accept_mismatch: z.boolean().default(false),
  }).output(sharedKeyStatusSchema),
  /** Returns whether a shared key is stored, and whether it reproduces the signature of the newest stored webhook. */
  sharedKey: defineSiteQuery().output(sharedKeyStatusSchema),
  /** Reads the state of the site's webhook endpoints. Null if the service does not list them. */
  endpoints: defineRemoteSiteCommand().output(
    z.object({ endpoints: z.array(webhookEndpointSchema).nullable() }),
  ),
  /** Deletes the API key and the shared key, and moves the site's folder to `removed/`. No data is deleted. */
  remove: defineSiteCommand().output(z.object({ set_aside: z.string() })),
};
