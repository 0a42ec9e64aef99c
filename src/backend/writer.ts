import { giveWay } from './giveWay.ts';
import { openWriter } from './openWriter.ts';
import { runThread } from './thread.ts';

giveWay();
runThread(openWriter);
