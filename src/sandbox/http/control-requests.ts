/** Handlers of control requests by verb. Tests send a JSON object by POST to `{url}/sandbox/<verb>`, or use GET. */
export type ControlRequestHandlers = Record<string, (input: Record<string, unknown>) => unknown>;

export function handleControlRequest(
  control: ControlRequestHandlers,
  method: string,
  verb: string,
  body: string,
): { status: number; value: unknown } {
  const handler = Object.hasOwn(control, verb) ? control[verb] : undefined;
  if (!handler) {
    const error = `There is no control verb ${verb}. Valid verbs are ${Object.keys(control).join(', ')}.`;
    return { status: 404, value: { error } };
  }
  try {
    const input = method === 'POST' && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {};
    return { status: 200, value: handler(input) ?? { status: 'ok' } };
  } catch (error) {
    return { status: 422, value: { error: error instanceof Error ? error.message : String(error) } };
  }
}
