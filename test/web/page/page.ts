import '../../../src/renderer/backend-client/zod-without-eval.ts';
import { createBackendClient } from '../../../src/contract/index.ts';
import { connectBackend } from '../../../src/renderer/backend-client/connect-backend.ts';
import { createReconnectingConnection } from '../../../src/renderer/backend-client/reconnecting-connection.ts';

/** Exposes the window's connection and its policy violations to the tests. */
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));

const page = {
  connectBackend,
  createReconnectingConnection,
  createClient: createBackendClient,
  violations,
  addressAtStart: location.href,
};
Object.assign(window, { page });
export type TestPage = typeof page;
