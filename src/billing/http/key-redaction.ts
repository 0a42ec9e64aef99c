import { BillingError } from '../errors/billing-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, toJsonText } from '../formats/json-value.ts';
import type { ResponseReadProblem } from '../records/record-types.ts';

/** Removes an API key from texts, in every encoding in which it is sent. A server may echo what it has received. */
export interface KeyRedactor {
  text(text: string): string;
  error(error: BillingError): BillingError;
  problems(problems: ResponseReadProblem[]): ResponseReadProblem[];
}

const REDACTED = '•••';

/** Returns the value of the Authorization header. The password is a fixed placeholder (interface 5). */
export function toBasicAuthorization(key: string): string {
  return `Basic ${Buffer.from(`${key}:x`, 'utf8').toString('base64')}`;
}

export function createKeyRedactor(key: string): KeyRedactor {
  const forms = [
    toBasicAuthorization(key).slice('Basic '.length),
    Buffer.from(key, 'utf8').toString('base64'),
    Buffer.from(key, 'utf8').toString('base64url'),
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    key,
  ].filter((form) => form.length > 3);

  const text = (original: string) =>
    forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), original);
  const redactValue = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(redactValue);
    return isJsonObject(value) ? redactObject(value) : value;
  };
  const redactObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, redactValue(value)]));

  return {
    text,
    error(error) {
      const content = toJsonText([error.message, error.hint ?? null, error.errors ?? null, error.detail]);
      if (!forms.some((form) => content.includes(form))) return error;
      const { hint, status, errors, retry_after_ms, retryable, outcome_unknown, detail } = error;
      return new BillingError(error.code, text(error.message), {
        ...{ retryable, outcome_unknown, detail: redactObject(detail) },
        ...(hint !== undefined && { hint: text(hint) }),
        ...(status !== undefined && { status }),
        ...(errors !== undefined && { errors: errors.map(text) }),
        ...(retry_after_ms !== undefined && { retry_after_ms }),
      });
    },
    problems: (problems) =>
      problems.map((each) => ({ ...each, raw: text(each.raw), reason: text(each.reason) })),
  };
}
