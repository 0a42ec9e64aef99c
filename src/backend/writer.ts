import { openWriter } from './openWriter.ts';
import { runThread } from './thread.ts';

runThread(openWriter);
