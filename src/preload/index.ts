import { contextBridge, ipcRenderer } from 'electron';

/**
 * Everything exposed to the page: a function that requests its two ports (reader, writer). The main process decides
 * whether to serve them.
 */
contextBridge.exposeInMainWorld('tieout', {
  connect() {
    const reader = new MessageChannel();
    const writer = new MessageChannel();
    ipcRenderer.postMessage('connect', null, [reader.port1, writer.port1]);
    window.postMessage('tieout:ports', location.origin, [reader.port2, writer.port2]);
  },
});
