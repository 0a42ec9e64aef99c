import { runBackendThread } from '../../src/backend/backend-thread.ts';
import { openTestReader } from './backend.ts';

runBackendThread(openTestReader);
