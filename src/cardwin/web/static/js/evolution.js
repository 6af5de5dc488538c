// A run as something to watch: its population as a moving map, the line of its champions, its hall of fame.
import { ask, h, number, percent } from "./dom.js";

const STEP = 140; // milliseconds for a frame while it plays
const TRAIL = 3; // earlier frames that are still seen, faded
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
// From blue (low) over grey to orange (high); told apart by people with any common colour vision.
const tint = (value) => `hsl(${value < 128 ? 210 : 28} ${Math.round(Math.abs(value - 128) / 1.6)}% ${Math.round(38 + value / 7)}%)`;

function canvas(width, height, label) {
  const dense = Math.min(2, devicePixelRatio || 1);
  const element = h("canvas", { width: String(width * dense), height: String(height * dense), style: `width:100%;max-width:${width}px;aspect-ratio:${width}/${height}`, role: "img", "aria-label": label });
  const brush = element.getContext("2d");
  brush.scale(dense, dense);
  return [element, brush];
}

// The last of some generations that is not after another one; 0 if all are.
export function frameAt(generations, wanted) {
  let found = 0;
  generations.forEach((generation, place) => { if (generation <= wanted) found = place; });
  return found;
}

// The map of one population.
function mapView(name, several, word) {
  const size = 300;
  const [picture, brush] = canvas(size, size, `map of ${name}`);
  const told = h("p", { class: "small num", style: "margin:.2rem 0 0" });
  let own = null, points = null, ranks = null;
  const at = (frame, member) => {
    const place = 2 * (frame * own.members + member);
    return [10 + (points[place] / 255) * (size - 20), size - 10 - (points[place + 1] / 255) * (size - 20)];
  };
  function dots(frame, alpha) {
    brush.globalAlpha = alpha;
    for (let member = own.counts[frame] - 1; member >= 0; member--) {
      const [x, y] = at(frame, member), rank = ranks[frame * own.members + member];
      brush.fillStyle = tint(rank);
      brush.beginPath();
      brush.arc(x, y, alpha < 1 ? 2 : 2.6 + rank / 180, 0, 7);
      brush.fill();
    }
    brush.globalAlpha = 1;
  }
  return {
    box: h("figure", { class: "map" }, several ? h("h3", {}, name) : null, picture, told),
    set(next) { own = next; points = bytes(own.points); ranks = bytes(own.ranks); },
    draw(generation) {
      const frame = frameAt(own.generation, generation);
      brush.clearRect(0, 0, size, size);
      brush.strokeStyle = colour("--line");
      brush.strokeRect(0.5, 0.5, size - 1, size - 1);
      brush.strokeStyle = colour("--soft");
      brush.lineWidth = 1;
      brush.globalAlpha = 0.6;
      brush.beginPath();
      for (let before = 0; before <= frame; before++) if (own.counts[before]) brush[before ? "lineTo" : "moveTo"](...at(before, 0));
      brush.stroke();
      for (let back = Math.min(TRAIL, frame); back > 0; back--) dots(frame - back, 0.28 - 0.07 * back);
      dots(frame, 1);
      if (own.counts[frame]) {
        brush.strokeStyle = colour("--ink");
        brush.lineWidth = 2;
        brush.beginPath();
        brush.arc(...at(frame, 0), 7, 0, 7);
        brush.stroke();
      }
      const axes = own.shares.length ? `; the axes hold ${percent(own.shares[0])} and ${percent(own.shares[1])} of the variance` : "";
      const many = own.members > 1 ? `: ${number(own.counts[frame])} shown, spread ${number(own.spread[frame], 3)}` : "";
      told.textContent = `${word} ${number(own.generation[frame])}${many}${axes}`;
      picture.setAttribute("aria-label", `map of ${name}, ${told.textContent}`);
      picture.dataset.frame = String(frame);
    },
  };
}

// One champion, or one member of a hall, as a small cell: a square for each of its numbers.
function face(values, label, chosen) {
  const wide = Math.ceil(Math.sqrt(values.length)), tall = Math.ceil(values.length / wide), size = 30;
  const [picture, brush] = canvas(size, size, label);
  picture.className = "face";
  picture.title = label;
  if (chosen) picture.classList.add("chosen");
  values.forEach((value, place) => {
    brush.fillStyle = tint(value);
    brush.fillRect((place % wide) * (size / wide), Math.floor(place / wide) * (size / tall), size / wide + 0.4, size / tall + 0.4);
  });
  return picture;
}

// The champions of all generations, a column each; a gap below marks where the line of descent breaks.
function stripView(name, choose) {
  const width = 620, height = 76;
  const [picture, brush] = canvas(width, height, `champions of ${name}`);
  const row = h("div", { class: "faces" });
  const title = h("h3", {});
  const told = h("p", { class: "small soft", style: "margin:.2rem 0" });
  let own = null, columns = null, cells = null;
  picture.style.cursor = "pointer";
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    choose(own.generation[Math.min(own.generation.length - 1, Math.floor(((event.clientX - box.left) / box.width) * own.generation.length))]);
  });
  const values = (place) => columns.subarray(place * own.numbers, (place + 1) * own.numbers);
  function hall(generation, frame) {
    const { hall: members } = own;
    if (members.kind === "champions") {
      const step = Math.max(1, Math.ceil((frame + 1) / 12));
      const shown = [...Array(frame + 1).keys()].filter((place) => (frame - place) % step === 0);
      title.textContent = members.entered ? "Hall of fame: champions that entered" : "Champions so far";
      row.replaceChildren(...shown.map((place) => face(values(place), `champion of generation ${number(own.generation[place])}`, place === frame)));
      return;
    }
    const at = frameAt(members.generation, generation), count = members.generation[0] <= generation ? members.counts[at] : 0;
    title.textContent = "Hall of fame";
    row.replaceChildren(...Array.from({ length: count }, (_, place) => face(cells.subarray((at * 12 + place) * members.numbers, (at * 12 + place + 1) * members.numbers), `member ${place + 1} of the hall in generation ${number(members.generation[at])}`, false)));
    if (!count) row.append(h("span", { class: "small soft" }, "It is empty."));
  }
  return {
    box: h("div", {}, h("h3", {}, `Champions of ${name}, generation by generation`), picture, told, title, row),
    set(next) { own = next; columns = bytes(own.columns); cells = own.hall.cells ? bytes(own.hall.cells) : null; },
    draw(generation) {
      const count = own.generation.length, wide = width / count, frame = frameAt(own.generation, generation), tall = (height - 12) / own.numbers;
      brush.clearRect(0, 0, width, height);
      for (let place = 0; place < count; place++) {
        values(place).forEach((value, row_) => { brush.fillStyle = tint(value); brush.fillRect(place * wide, row_ * tall, wide + 0.4, tall + 0.4); });
        if (own.unbroken[place]) { brush.fillStyle = colour("--accent"); brush.fillRect(place * wide, height - 8, wide + 0.4, 4); }
      }
      brush.strokeStyle = colour("--ink");
      brush.lineWidth = 2;
      brush.strokeRect(frame * wide + 1, 1, Math.max(2, wide - 2), height - 2);
      const broken = own.unbroken.slice(1).filter((one) => !one).length;
      told.textContent = `${own.sketched ? "Its genes are summed up in 16 numbers" : `It has ${own.numbers} genes`}; the line of descent breaks ${number(broken)} time${broken === 1 ? "" : "s"}.`;
      picture.setAttribute("aria-label", `champions of ${name}, ${number(count)} shown; the line of descent breaks ${number(broken)} times`);
      hall(generation, frame);
    },
  };
}

// The section of a run's page. `refresh` asks for later frames, at most every two seconds.
export function evolution(name) {
  const maps = h("div", { class: "maps" }), strips = h("div", {}), said = h("p", { class: "small soft" });
  const about = h("p", { class: "small soft", hidden: true }, "Each column is the champion of a generation, its genes from blue (least) to orange (most). The green line below breaks where a champion does not descend from the one before. A click goes to its generation.");
  const word = h("span", {}, "generation");
  const shown = h("output", { class: "num" });
  const slider = h("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "frame of the map", oninput: () => { pause(); choose(Number(slider.value)); } });
  const play = h("button", { type: "button", onclick: () => (timer ? pause() : start()) }, "Play");
  const controls = h("div", { class: "row watch", hidden: true }, play, h("label", { style: "flex:1;display:grid;grid-template-columns:auto 1fr auto" }, word, slider, shown));
  const box = h("section", { class: "sheet evolution" }, h("h2", {}, "Evolution"), controls, h("div", { class: "sides" }, h("div", {}, maps, said), h("div", {}, about, strips)));
  let frames = [], views = [], last = -1, timer = null, asked = 0, waiting = null;

  function choose(generation) {
    const place = frameAt(frames, generation);
    slider.value = String(frames[place] ?? 0);
    shown.textContent = number(frames[place] ?? 0);
    for (const view of views) view.draw(frames[place] ?? 0);
  }
  function pause() { clearInterval(timer); timer = null; play.textContent = "Play"; }
  function start() {
    if (Number(slider.value) >= frames.at(-1)) choose(frames[0]);
    play.textContent = "Pause";
    timer = setInterval(() => {
      const next = frames.find((generation) => generation > Number(slider.value));
      if (next === undefined) pause(); else choose(next);
    }, STEP);
  }

  function set(found) {
    const all = Object.entries(found.map.populations), lines = Object.entries(found.line.populations);
    said.textContent = found.map.text;
    about.hidden = !lines.length;
    word.textContent = lines.length ? "generation" : "step";
    const follows = !timer && Number(slider.value) >= Number(slider.max);
    frames = [...new Set([...all.flatMap(([, own]) => own.generation), ...(all.length ? [] : lines.flatMap(([, own]) => own.generation))])].sort((a, b) => a - b);
    if (views.length !== all.length + lines.length) {
      views = [...all.map(([population]) => mapView(population, all.length > 1, word.textContent)), ...lines.map(([population]) => stripView(population, (generation) => { pause(); choose(generation); }))];
      maps.replaceChildren(...views.slice(0, all.length).map((view) => view.box));
      strips.replaceChildren(...views.slice(all.length).map((view) => view.box));
    }
    [...all, ...lines].forEach(([, own], place) => views[place].set(own));
    controls.hidden = frames.length < 2;
    slider.min = String(frames[0] ?? 0);
    slider.max = String(frames.at(-1) ?? 0);
    choose(follows ? frames.at(-1) ?? 0 : Number(slider.value));
  }

  async function refresh() {
    const pauseLeft = 2000 - (performance.now() - asked);
    if (asked && pauseLeft > 0) { waiting ??= setTimeout(() => { waiting = null; refresh(); }, pauseLeft); return; }
    asked = performance.now();
    const found = await ask(`/api/runs/${name}/evolution?since=${last}`).catch((error) => ({ error }));
    if (found.error) said.textContent = found.error.message;
    else if (found.map) { last = found.last; set(found); }
  }
  const redraw = () => choose(Number(slider.value));
  addEventListener("themechange", redraw);
  return { box, refresh, leave() { pause(); clearTimeout(waiting); removeEventListener("themechange", redraw); } };
}
