import { contextBridge, ipcRenderer } from 'electron';

/** The only function exposed to the page. It requests the ports of the reader and the writer. */
contextBridge.exposeInMainWorld('tieout', {
  connect() {
    const reader = new MessageChannel();
    const writer = new MessageChannel();
    ipcRenderer.postMessage('connect', null, [reader.port1, writer.port1]);
    window.postMessage('tieout:ports', location.origin, [reader.port2, writer.port2]);
  },
});
