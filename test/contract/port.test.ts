import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LogRecord } from '../../src/backend/shared/backend-start-options.ts';
import { createPortLink } from '../../src/host/port-link.ts';
import { defineContractSuite } from './contract-suite.ts';
import { openTestReader, openTestWriter } from './misbehaving-backend.ts';

function openBackend() {
  const records: LogRecord[] = [];
  const log = (record: LogRecord) => void records.push(record);
  const open = () => ({ reader: openTestReader({ log }), writer: openTestWriter({ log }) });
  return { open, readLog: () => JSON.stringify(records) };
}

defineContractSuite('over a port in one process', () => {
  const { open, readLog } = openBackend();
  const { reader, writer } = open();
  const link = (serve: (port: MessagePort) => void) => {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    return { link: createPortLink(port1).link, end: () => port1.close() };
  };
  return {
    connect() {
      const [one, other] = [link(reader.serve), link(writer.serve)];
      return {
        links: { reader: one.link, writer: other.link },
        end() {
          one.end();
          other.end();
        },
      };
    },
    readLog,
    async close() {
      await reader.close();
      await writer.close();
    },
  };
});
