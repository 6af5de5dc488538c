// A page that is read from the disk may start no worker, and the search of the theme is one. Here its script runs in a
// hidden frame instead. Messages are copied and arrive later, as those of a worker. Pages from a server are left alone.
if (location.protocol === "file:") {
  const later = (receive, data) => setTimeout(receive, 0, { data: structuredClone(data) });
  window.Worker = class {
    constructor(address) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.addEventListener("load", () => this.start(this.frame.contentWindow, address), { once: true });
      document.documentElement.append(this.frame);
    }
    start(room, address) {
      room.postMessage = (data) => later((event) => this.onmessage?.(event), data);
      const script = room.document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => {
        this.room = room;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      room.document.body.append(script);
    }
    postMessage(data) {
      if (this.room) later((event) => this.room.dispatchEvent(new MessageEvent("message", event)), data);
      else this.waiting.push(data);
    }
    terminate() {
      this.frame.remove();
    }
  };
}
