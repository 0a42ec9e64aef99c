/** A JSON value. Both JSON and XML responses are converted to this type before records are read. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Maximum nesting depth of a JSON or XML response. Chosen by judgment. */
export const MAX_NESTING_DEPTH = 64;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a value has at most `levels` levels of nesting. */
export function isNestedAtMost(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedAtMost(inner, levels - 1));
}

/** Sets a property whose key comes from external data. `__proto__` never changes the prototype. */
export function setOwnProperty(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Returns a value as JSON text for messages and problem lists, or a placeholder if it is nested too deeply. */
export function toJsonText(value: JsonValue | undefined): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deeply to print)';
  }
}
