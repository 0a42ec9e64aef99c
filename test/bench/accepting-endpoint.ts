import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A separate process with an endpoint that accepts every post. Prints its port, and the count at `GET /count`. */
let count = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(count));
  request.resume().on('end', () => {
    count++;
    response.end('ok');
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
