import { contextBridge, ipcRenderer } from 'electron';

/** All the page gets: a way to ask for its two ports (reader, writer). Main decides whether they are served. */
contextBridge.exposeInMainWorld('tieout', {
  connect() {
    const reader = new MessageChannel();
    const writer = new MessageChannel();
    ipcRenderer.postMessage('connect', null, [reader.port1, writer.port1]);
    window.postMessage('tieout:ports', location.origin, [reader.port2, writer.port2]);
  },
});
