/** A JSON value. JSON and XML responses are both converted to this type before records are read. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Maximum nesting of a response in either format. */
export const MAX_DEPTH = 64;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a value is nested no deeper than `levels`. */
export function isNestedWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1));
}

/** Sets a key from external data. `__proto__` becomes a plain property and never changes the prototype. */
export function setOwnProperty(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Returns JSON text for messages and problem lists, or a note if the value is nested too deeply to print. */
export function toJsonText(value: JsonValue | undefined): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deeply to print)';
  }
}
