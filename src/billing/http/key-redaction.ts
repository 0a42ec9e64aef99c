import { BillingError, type BillingErrorOptions } from '../errors/billing-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, toJsonText } from '../formats/json-value.ts';
import type { ReadProblem } from '../records/entities.ts';

/** Removes an API key from texts, in every encoding in which it is sent. A server may echo what it has received. */
export interface KeyRedactor {
  text(text: string): string;
  error(error: BillingError): BillingError;
  problems(problems: ReadProblem[]): ReadProblem[];
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

  const text = (from: string) =>
    forms.reduce((so, form) => (so.includes(form) ? so.replaceAll(form, REDACTED) : so), from);
  const value = (from: JsonValue): JsonValue => {
    if (typeof from === 'string') return text(from);
    if (Array.isArray(from)) return from.map(value);
    return isJsonObject(from) ? record(from) : from;
  };
  const record = (from: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(from).map(([name, inner]) => [name, value(inner)]));

  return {
    text,
    error(error) {
      const content = toJsonText([error.message, error.hint ?? null, error.errors ?? null, error.detail]);
      if (!forms.some((form) => content.includes(form))) return error;
      const facts: BillingErrorOptions = {
        retryable: error.retryable,
        outcome_unknown: error.outcome_unknown,
        detail: record(error.detail),
      };
      if (error.hint !== undefined) facts.hint = text(error.hint);
      if (error.status !== undefined) facts.status = error.status;
      if (error.errors !== undefined) facts.errors = error.errors.map(text);
      if (error.retry_after_ms !== undefined) facts.retry_after_ms = error.retry_after_ms;
      return new BillingError(error.code, text(error.message), facts);
    },
    problems: (problems) =>
      problems.map((each) => ({ ...each, raw: text(each.raw), reason: text(each.reason) })),
  };
}
