// A page that is read from the disk may start no worker, and the search of the theme is one. Here its script runs in a
// hidden frame instead, which is spoken to in the same way. Pages from a server are left alone.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.addEventListener("load", () => this.start(frame.contentWindow, address), { once: true });
      document.documentElement.append(frame);
    }
    start(room, address) {
      room.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = room.document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => {
        this.room = room;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      room.document.body.append(script);
    }
    postMessage(data) {
      if (this.room) this.room.dispatchEvent(new MessageEvent("message", { data }));
      else this.waiting.push(data);
    }
  };
}
