import { runThread } from '../../src/backend/thread.ts';
import { openTestReader } from './backend.ts';

runThread(openTestReader);
