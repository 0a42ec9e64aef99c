import { runBackendThread } from '../../src/backend/backend-thread.ts';
import { openTestReader } from './misbehaving-backend.ts';

runBackendThread(openTestReader);
