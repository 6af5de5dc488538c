// A hand as the fragment of an address, which no server gets: PHH text or JSON, deflated, in base64 for addresses.
const MOST = 400_000; // characters of a decoded hand

const packed = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function fragmentOf(kind, text) {
  const bytes = await packed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `#${kind}=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// The hand of a fragment as {kind, text, at}, or null where there is none; a damaged one is an error.
export async function readFragment(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const kind = ["phh", "hand"].find((name) => asked.has(name));
  if (!kind) return null;
  const damaged = new Error("The link is damaged: it does not contain a whole hand.");
  let text = "";
  try {
    const letters = atob(asked.get(kind).replaceAll("-", "+").replaceAll("_", "/"));
    const reader = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > MOST) { await reader.cancel(); throw damaged; }
    }
  } catch { throw damaged; }
  return { kind, text, at: Number(asked.get("at")) || 0 };
}

const WHAT = new Set(["hand", "posted", "acted", "board", "returned", "shown", "won", "ended"]);

// A hand from JSON that anybody may have written: everything that is drawn is checked.
export function checkedHand(text) {
  const wrong = new Error("The link is damaged: it does not contain a whole hand.");
  let hand;
  try { hand = JSON.parse(text); } catch { throw wrong; }
  const texts = (list, most) => Array.isArray(list) && list.length <= most && list.every((one) => typeof one === "string" && one.length <= 200);
  const seats = hand?.players?.length;
  const numbers = (event) => Object.entries(event).every(([key, value]) => !["seat", "chips", "amount", "button", "pot", "street"].includes(key) || value === null || Number.isInteger(value));
  const listed = (event) => ["stacks", "won"].every((key) => !(key in event) || event[key] === null || (Array.isArray(event[key]) && event[key].length === seats && event[key].every(Number.isFinite)));
  const fits = (event) => event && WHAT.has(event.what) && numbers(event) && listed(event) && !(event.seat >= seats || event.seat < 0) && (!("cards" in event) || texts(event.cards, 5)) && !(["board", "shown"].includes(event.what) && !event.cards);
  const held = hand?.cards && typeof hand.cards === "object" && Object.values(hand.cards).every((cards) => texts(cards, 2));
  if (!texts(hand?.players, 10) || seats < 2 || !Array.isArray(hand.events) || hand.events.length > 1000 || !hand.events.every(fits) || !held) throw wrong;
  return { name: String(hand.name ?? "").slice(0, 40), game: String(hand.game ?? "").slice(0, 80), you: Number.isInteger(hand.you) && hand.you >= 0 && hand.you < seats ? hand.you : 0, players: hand.players, events: hand.events, cards: hand.cards, odds: Array.isArray(hand.odds) ? hand.odds : [] };
}
